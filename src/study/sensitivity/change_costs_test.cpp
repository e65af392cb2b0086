#include "study/sensitivity/change_costs.hpp"

#include <gtest/gtest.h>

namespace orrery::core::change_costs_test {
namespace {

ChangeCosts costs(const std::string& text) {
  return ChangeCosts(parse_yaml(text, "costs.yaml"));
}

TEST(ChangeCosts, GrowsWithTheLogarithmOfTheFactor) {
  const ChangeCosts one = costs("network.ring.bandwidth: 3\n");
  EXPECT_DOUBLE_EQ(*one.of("network.ring.bandwidth", "50 GB/s", "100 GB/s"), 3);
  EXPECT_DOUBLE_EQ(*one.of("network.ring.bandwidth", "50 GB/s", "400 GB/s"), 9);
  EXPECT_DOUBLE_EQ(*one.of("network.ring.bandwidth", "1 us", "0.25 us"), 6);
  EXPECT_DOUBLE_EQ(*one.of("network.ring.bandwidth", "50 GB/s", "50 GB/s"), 0);
  EXPECT_DOUBLE_EQ(*one.of("network.ring.bandwidth", "fifo", "lifo"), 3);
  EXPECT_FALSE(one.of("network.ring.latency", "1 us", "0.5 us"));
}

TEST(ChangeCosts, CountsWholeNumbers) {
  const ChangeCosts nics = costs("platform.nics-per-node: { each: 5, fixed: 2 }\n");
  EXPECT_DOUBLE_EQ(*nics.of("platform.nics-per-node", "8", "10"), 12);
  try {
    nics.of("platform.nics-per-node", "50 GB/s", "62 GB/s");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("costs.yaml:1:1"), std::string::npos) << error.what();
  }
}

TEST(ChangeCosts, TakesTheFirstPatternThatFits) {
  const ChangeCosts several = costs("network.a.*: 1\nnetwork.*: 2\n\"*\": 4\n");
  EXPECT_EQ(several.of("network.a.bandwidth", "1 GB/s", "2 GB/s"), 1);
  EXPECT_EQ(several.of("network.b.bandwidth", "1 GB/s", "2 GB/s"), 2);
  EXPECT_EQ(several.of("routing", "ecmp", "spray"), 4);
}

TEST(ChangeCosts, RefusesWhatIsNoCost) {
  for (const char* text : {"a: -1\n", "a: cheap\n", "a: { price: 3 }\n", "a: { each: -1 }\n", "{}\n", "[]\n"})
    EXPECT_THROW(costs(text), InputError) << text;
}

TEST(ChangeCosts, WarnsOfNamesThatNoParameterHas) {
  Warnings warnings;
  costs("network.*: 1\nnetwrk.*: 1\n").warn_of_unused({"network.a.bandwidth", "routing"}, warnings);
  ASSERT_EQ(warnings.lines().size(), 1u);
  EXPECT_NE(warnings.lines()[0].find("costs.yaml:2:1"), std::string::npos) << warnings.lines()[0];
}

TEST(Pattern, HasStarsForAnyText) {
  EXPECT_TRUE(fits_pattern("network.*.bandwidth", "network.links.*.bandwidth"));
  EXPECT_TRUE(fits_pattern("*", ""));
  EXPECT_TRUE(fits_pattern("a*b*", "axxbyy"));
  EXPECT_TRUE(fits_pattern("*ab", "aab"));
  EXPECT_FALSE(fits_pattern("a*b", "axxbc"));
  EXPECT_FALSE(fits_pattern("a", "ab"));
  EXPECT_FALSE(fits_pattern("", "a"));
}

}  // namespace
}  // namespace orrery::core::change_costs_test
