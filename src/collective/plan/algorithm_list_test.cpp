#include "collective/plan/algorithm_list.hpp"

#include <gtest/gtest.h>

namespace orrery::core::algorithm_list_test {
namespace {

using Choices = std::vector<AlgorithmChoice>;

Choices parse(std::string_view list, std::vector<std::string> expected_warnings = {}) {
  Warnings warnings;
  const Choices choices = parse_algorithm_list(list, {"s.txt", 3, 10}, warnings);
  EXPECT_EQ(warnings.lines(), expected_warnings);
  return choices;
}

void expect_error(std::string_view list, const std::string& prefix, const std::string& word) {
  Warnings warnings;
  try {
    parse_algorithm_list(list, {"s.txt", 3, 10}, warnings);
    ADD_FAILURE() << "accepted: " << list;
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind(prefix + ": error: ", 0), 0u) << what;
    EXPECT_NE(what.find(word), std::string::npos) << what;
  }
}

constexpr AlgorithmChoice ring{&ring_algorithm}, all{&direct_algorithm}, halving{&halving_doubling_algorithm},
    tree{&double_binary_tree_algorithm};

TEST(AlgorithmList, HasOneWordPerDimension) {
  EXPECT_EQ(parse("ring"), Choices{ring});
  EXPECT_EQ(parse("ring_direct_halvingDoubling_doubleBinaryTree"), (Choices{ring, all, halving, tree}));
  EXPECT_EQ(parse("__ring___direct_"), (Choices{ring, all}));
}

TEST(AlgorithmList, ReadsWindows) {
  EXPECT_EQ(parse("direct1_direct-1_direct12"),
            (Choices{{&direct_algorithm, 1}, all, {&direct_algorithm, 12}}));
  EXPECT_EQ(parse("direct3x", {"s.txt:3:10: warning: the end of `direct3x` is ignored: `x`"}),
            (Choices{{&direct_algorithm, 3}}));
  EXPECT_EQ(parse("oneDirect4"), (Choices{{&direct_algorithm, 4, true}}));
}

TEST(AlgorithmList, EndsAtAWordForTheWholeMachine) {
  EXPECT_EQ(parse("oneRing"), (Choices{{&ring_algorithm, 0, true}}));
  EXPECT_EQ(parse("ring_oneHalvingDoubling"), (Choices{ring, {&halving_doubling_algorithm, 0, true}}));
  EXPECT_EQ(parse("oneDirect_nonsense_ring",
                  {"s.txt:3:20: warning: the algorithms from here on are ignored: the one "
                   "before spans the whole machine"}),
            (Choices{{&direct_algorithm, 0, true}}));
}

TEST(AlgorithmList, PointsAtTheWrongWord) {
  expect_error("", "s.txt:3:10", "no algorithm");
  expect_error("__", "s.txt:3:10", "no algorithm");
  expect_error("ring_Ring", "s.txt:3:15", "`Ring`");
  expect_error("ring3", "s.txt:3:10", "`ring3`");
  expect_error("oneDoubleBinaryTree", "s.txt:3:10", "unknown algorithm");
  expect_error("ring_directX", "s.txt:3:15", "`directX`");
  expect_error("ring_ring_ring_ring_ring_ring_ring_ring_ring_ring_ring", "s.txt:3:60", "more than 10");
  expect_error("direct0", "s.txt:3:10", "window");
  expect_error("direct-2", "s.txt:3:10", "window");
  expect_error("oneDirect134217729", "s.txt:3:10", "window");
  expect_error("direct99999999999999999999", "s.txt:3:10", "unknown algorithm");
}

}  // namespace
}  // namespace orrery::core::algorithm_list_test
