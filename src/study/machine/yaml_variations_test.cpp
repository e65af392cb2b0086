#include "study/machine/yaml_variations.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "study/machine/rank_variations.hpp"

namespace orrery::core::yaml_variations_test {
namespace {

using Factors = std::vector<double>;
using Npus = std::vector<int>;

// `inner` of 2 and `outer` of 3 NPUs.
Topology machine(int inner = 2) {
  Topology topology;
  topology.dimensions.resize(2);
  topology.dimensions[0].name = "inner";
  topology.dimensions[0].size = inner;
  topology.dimensions[1].name = "outer";
  topology.dimensions[1].size = 3;
  return topology;
}

Factors stragglers(const std::string& text, const Topology& topology = machine()) {
  const InputNode node = parse_yaml(text, "x.yaml");
  RankBudget budget;
  return read_yaml_compute_slowdown(&node, nullptr, topology, budget);
}

Factors jitter(const std::string& text, const Topology& topology = machine()) {
  const InputNode node = parse_yaml(text, "x.yaml");
  RankBudget budget;
  return read_yaml_compute_slowdown(nullptr, &node, topology, budget);
}

std::vector<SlowLinks> slow_links(const std::string& text, const Topology& topology = machine()) {
  RankBudget budget;
  return read_yaml_slow_links(parse_yaml(text, "x.yaml"), topology, budget);
}

template <class Read>
std::string error_of(Read read, const std::string& text, const Topology& topology = machine()) {
  try {
    read(text, topology);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(YamlVariations, stragglers) {
  EXPECT_EQ(stragglers("{ ranks: [3], slowdown: 1.25 }"), (Factors{1, 1, 1, 1.25, 1, 1}));
  EXPECT_EQ(stragglers("{ ranks: [5, 1-2, 4-4], slowdown: 0.5 }"), (Factors{1, 0.5, 0.5, 1, 0.5, 0.5}));
  EXPECT_EQ(stragglers("[ { ranks: [0-5], slowdown: 2 }, { slowdown: 3, ranks: [2] } ]"),
            (Factors{2, 2, 6, 2, 2, 2}));
}

TEST(YamlVariations, nothing_differs) {
  RankBudget budget;
  EXPECT_EQ(read_yaml_compute_slowdown(nullptr, nullptr, machine(), budget), Factors());
  EXPECT_EQ(stragglers("[]"), Factors());
  EXPECT_EQ(stragglers("{ ranks: [0-5], slowdown: 1 }"), Factors());
  EXPECT_EQ(jitter("{ spread: 0, seed: 3 }"), Factors());
  EXPECT_TRUE(slow_links("[]").empty());
  EXPECT_TRUE(slow_links("{ dimension: inner, ranks: [0], slowdown: 1 }").empty());
}

TEST(YamlVariations, jitter) {
  EXPECT_EQ(jitter("{ spread: 0.25 }"), compute_slowdown({}, {0.25, 0}, 6));
  EXPECT_EQ(jitter("{ spread: 0.25, seed: 18446744073709551615 }"),
            compute_slowdown({}, {0.25, ~std::uint64_t{0}}, 6));
  const InputNode slower = parse_yaml("{ ranks: [1], slowdown: 2 }", "x.yaml");
  const InputNode spread = parse_yaml("{ spread: 0.25, seed: 7 }", "x.yaml");
  RankBudget budget;
  EXPECT_EQ(read_yaml_compute_slowdown(&slower, &spread, machine(), budget),
            compute_slowdown({{{{1, 1}}, 2}}, {0.25, 7}, 6));
}

TEST(YamlVariations, slow_links) {
  const std::vector<SlowLinks> slow = slow_links(R"(
- { dimension: outer, ranks: [4, 0-1], slowdown: 2 }
- { slowdown: 1.5, group-of: 3, dimension: inner }
- { slowdown: 1.5, group-of: 3, dimension: outer }
)");
  ASSERT_EQ(slow.size(), 3u);
  EXPECT_EQ(slow[0].dimension, 1);
  EXPECT_EQ(slow[0].npus, (Npus{0, 1, 4}));
  EXPECT_EQ(slow[0].slowdown, 2.0);
  EXPECT_EQ(slow[1].dimension, 0);
  EXPECT_EQ(slow[1].npus, (Npus{2, 3}));
  EXPECT_EQ(slow[1].slowdown, 1.5);
  EXPECT_EQ(slow[2].dimension, 1);
  EXPECT_EQ(slow[2].npus, (Npus{1, 3, 5}));
}

// Each range and each rank are checked once, whatever their number.
TEST(YamlVariations, long_lists_of_ranges_are_cheap) {
  std::string text = "{ slowdown: 2, ranks: [";
  for (int i = 0; i < 50'000; ++i) text += std::to_string(100 * i) + "-" + std::to_string(100 * i + 49) + ",";
  const Factors factors = stragglers(text + "] }", machine(2'000'000));
  ASSERT_EQ(factors.size(), 6'000'000u);
  EXPECT_EQ(factors[4'999'949], 2.0);
  EXPECT_EQ(factors[4'999'950], 1.0);
}

TEST(YamlVariations, limits) {
  const Topology largest = machine(5'592'405), larger = machine(5'592'406);  // 2^24 / 3 = 5592405.3
  EXPECT_EQ(jitter("{ spread: 1 }", largest).size(), 16'777'215u);
  EXPECT_EQ(error_of(jitter, "{ spread: 1 }", larger),
            "x.yaml:1:1: error: compute times can differ among at most 16777216 NPUs, and the network has "
            "16777218; make it smaller or remove this");
  EXPECT_NE(error_of(stragglers, "{ ranks: [3], slowdown: 2 }", larger).find("at most 16777216 NPUs"),
            std::string::npos);
  EXPECT_EQ(slow_links("{ dimension: inner, ranks: [16777217], slowdown: 2 }", larger).size(), 1u);
  EXPECT_NE(error_of(slow_links, "{ dimension: inner, group-of: 3, slowdown: 2 }", machine(40'000'000))
                .find("no error"),
            std::string::npos);
  EXPECT_NE(error_of(stragglers, R"([ &a { ranks: [0-16777214], slowdown: 2 }, *a, *a, *a, *a ])", largest)
                .find("concern more than 67108864 ranks"),
            std::string::npos);
}

TEST(YamlVariations, refuse_ranks_and_say_where) {
  const auto with = [](const std::string& ranks) {
    return error_of(stragglers, "{ ranks: " + ranks + ", slowdown: 2 }");
  };
  for (const char* bad : {"6", "-1", "1.5", "x", "0-6", "-", "1-", "-3-4", "1-2-3", "1 - 2", "+1",
                          "99999999999999999999", "''", "{}", "[1]", "~"})
    EXPECT_EQ(with("[0, " + std::string(bad) + "]").substr(0, 84),
              "x.yaml:1:14: error: `ranks[]` has to be a rank of the network, 0 to 5, or a range su")
        << bad;
  EXPECT_EQ(with("[4-2]"), "x.yaml:1:11: error: the range `4-2` ends before it begins; write `2-4`");
  EXPECT_EQ(with("[1, 0, 1]"), "x.yaml:1:17: error: rank 1 stands twice in `ranks`; name it once");
  EXPECT_EQ(with("[3, 0-4]"), "x.yaml:1:14: error: rank 3 stands twice in `ranks`; name it once");
  EXPECT_EQ(with("[0-4, 3]"), "x.yaml:1:16: error: rank 3 stands twice in `ranks`; name it once");
  EXPECT_EQ(with("[]"),
            "x.yaml:1:10: error: `ranks` has to be a list with at least one element, not an empty list");
}

TEST(YamlVariations, refuse_factors_and_say_where) {
  const auto straggler = [](const std::string& slowdown) {
    return error_of(stragglers, "{ ranks: [0], slowdown: " + slowdown + " }");
  };
  for (const char* bad : {"0", "-1", "1000001", "nan", "inf", "2x"})
    EXPECT_EQ(straggler(bad),
              "x.yaml:1:25: error: `slowdown` has to be a number above 0, at most 1000000, not `" +
                  std::string(bad) + "`");
  EXPECT_EQ(straggler("1e6"), "no error");
  const auto links = [](const std::string& slowdown) {
    return error_of(slow_links, "{ dimension: inner, ranks: [0], slowdown: " + slowdown + " }");
  };
  for (const char* bad : {"0.99", "-1", "1000001", "nan"})
    EXPECT_EQ(links(bad), "x.yaml:1:43: error: `slowdown` has to be a number from 1 to 1000000, not `" +
                              std::string(bad) + "`");
  EXPECT_EQ(error_of(jitter, "{ spread: 1000.5 }"),
            "x.yaml:1:11: error: `spread` has to be a number from 0 to 1000, not `1000.5`");
  EXPECT_EQ(error_of(jitter, "{ spread: 1, seed: 18446744073709551616 }"),
            "x.yaml:1:20: error: `seed` has to be a whole number from 0 to 18446744073709551615, not "
            "`18446744073709551616`");
}

TEST(YamlVariations, refuse_dimensions_and_say_which_there_are) {
  const auto with = [](const std::string& dimension) {
    return error_of(slow_links, "{ dimension: " + dimension + ", ranks: [0], slowdown: 2 }");
  };
  EXPECT_EQ(with("dim0"), "x.yaml:1:14: error: `dimension` has to be `inner` or `outer`, not `dim0`");
  EXPECT_EQ(with("[inner]"), "x.yaml:1:14: error: `dimension` has to be a single value, not a list");
}

TEST(YamlVariations, keys_in_both_forms) {
  const auto paths = [](const std::vector<KeyPath>& keys) {
    std::vector<std::string> texts;
    for (const KeyPath& key : keys) texts.push_back(key.path);
    return texts;
  };
  EXPECT_EQ(paths(yaml_straggler_keys()),
            (std::vector<std::string>{".ranks", ".slowdown", "[].ranks", "[].slowdown"}));
  EXPECT_EQ(paths(yaml_jitter_keys()), (std::vector<std::string>{".spread", ".seed"}));
  EXPECT_EQ(paths(yaml_slow_link_keys()),
            (std::vector<std::string>{".dimension", ".ranks", ".group-of", ".slowdown", "[].dimension",
                                      "[].ranks", "[].group-of", "[].slowdown"}));
}

}  // namespace
}  // namespace orrery::core::yaml_variations_test
