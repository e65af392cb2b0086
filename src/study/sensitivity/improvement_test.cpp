#include "study/sensitivity/improvement.hpp"

#include <gtest/gtest.h>

namespace orrery::core::improvement_test {
namespace {

using Values = std::vector<std::string>;

// Returns what a value becomes by each way, "-" where it is as good as it can be.
Values better(const std::string& value, const KeyFacts* key, double factor) {
  Values values;
  for (const Improvement& route : Improvement::of(value, key))
    values.push_back(route.at(factor).value_or("-"));
  return values;
}

KeyFacts number(KeyType type, Better route, double least, double largest) {
  KeyFacts key{"key", "", "", type, least, largest};
  key.better = route;
  return key;
}

std::vector<std::string_view> three_words() {
  return {"fifo", "lifo", "random"};
}

TEST(Improvement, FollowsTheUnit) {
  EXPECT_EQ(better("50 GB/s", nullptr, 1.25), Values{"62.5 GB/s"});
  EXPECT_EQ(better("400 Gbit/s", nullptr, 2), Values{"800 Gbit/s"});
  EXPECT_EQ(better("312 TFLOP/s", nullptr, 1.5), Values{"468 TFLOP/s"});
  EXPECT_EQ(better("1.5GHz", nullptr, 2), Values{"3GHz"});
  EXPECT_EQ(better("500 ns", nullptr, 1.25), Values{"400 ns"});
}

TEST(Improvement, LeavesSizesTextsAndZeros) {
  for (const char* value : {"16 MiB", "ring", "8", "", "0 ns", "true"})
    EXPECT_EQ(better(value, nullptr, 2), Values{}) << value;
}

TEST(Improvement, FollowsTheDeclaration) {
  const KeyFacts kept = number(KeyType::time, Better::never, 0, 0);
  EXPECT_EQ(better("5 us", &kept, 2), Values{});
  const KeyFacts slowdown = number(KeyType::real, Better::less, 0.1, 100);
  EXPECT_EQ(better("1.5", &slowdown, 1.5), Values{"1"});
  const KeyFacts plain = number(KeyType::integer, Better::as_unit, 1, 100);
  EXPECT_EQ(better("8", &plain, 2), Values{});
}

TEST(Improvement, KeepsSharesWithinTheirRange) {
  const KeyFacts share = number(KeyType::share, Better::as_unit, 1e-6, 1);
  EXPECT_EQ(better("0.5", &share, 1.5), Values{"0.75"});
  EXPECT_EQ(better("0.9", &share, 1.5), Values{"1"});
  EXPECT_EQ(better("1", &share, 1.5), Values{"-"});
}

TEST(Improvement, ChangesWholeNumbersByOneAtLeast) {
  const KeyFacts links = number(KeyType::integer, Better::more, 1, 100);
  EXPECT_EQ(better("1", &links, 1.25), Values{"2"});
  EXPECT_EQ(better("8", &links, 1.25), Values{"10"});
  const KeyFacts chunks = number(KeyType::integer, Better::either, 1, 100);
  EXPECT_EQ(better("8", &chunks, 1.25), (Values{"10", "6"}));
  EXPECT_EQ(better("1", &chunks, 1.25), (Values{"2", "-"}));
}

TEST(Improvement, ScalesSizesWhoseDeclarationsSaySo) {
  KeyFacts buffer = number(KeyType::size, Better::either, 0, 0);
  EXPECT_EQ(better("16 MiB", &buffer, 2), (Values{"32 MiB", "8 MiB"}));
  buffer.sample = "40 KiB";
  EXPECT_EQ(better("none", &buffer, 2), Values{});
  buffer.better = Better::more;
  EXPECT_EQ(better("16 MiB", &buffer, 2), Values{"32 MiB"});
}

TEST(Improvement, LeavesDefaultsThatDependOnOthers) {
  const KeyFacts retries = number(KeyType::integer, Better::more, 1, 100);
  EXPECT_EQ(better("16; 7 of `infiniband`", &retries, 2), Values{});
}

TEST(Improvement, TurnsSwitchesOver) {
  const KeyFacts wrap = number(KeyType::boolean, Better::either, 0, 0);
  EXPECT_EQ(better("false", &wrap, 2), Values{"true"});
  EXPECT_EQ(better("true", &wrap, 2), Values{"false"});
}

TEST(Improvement, TriesOtherWords) {
  KeyFacts order = number(KeyType::word, Better::either, 0, 0);
  order.words = three_words;
  EXPECT_EQ(better("lifo", &order, 2), (Values{"fifo", "random"}));
  KeyFacts algorithm = number(KeyType::other, Better::either, 0, 0);
  algorithm.sample = "direct|ring";
  EXPECT_EQ(better("by topology", &algorithm, 2), (Values{"direct", "ring"}));
  EXPECT_TRUE(Improvement::of("ring", &algorithm).front().is_word());
  EXPECT_FALSE(Improvement::of("5 us", nullptr).front().is_word());
}

}  // namespace
}  // namespace orrery::core::improvement_test
