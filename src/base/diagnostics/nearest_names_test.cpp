#include "base/diagnostics/nearest_names.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orrery::core::nearest_names_test {
namespace {

TEST(NearestNames, TypingErrorsAreLettersReplacedInsertedAndRemoved) {
  EXPECT_EQ(typing_errors("ring", "ring"), 0u);
  EXPECT_EQ(typing_errors("ring", "rings"), 1u);
  EXPECT_EQ(typing_errors("ring", "rung"), 1u);
  EXPECT_EQ(typing_errors("", "abc"), 3u);
  EXPECT_EQ(typing_errors("kitten", "sitting"), 3u);
}

TEST(NearestNames, TheNearestThreeComeInTheOrderOfTheirDistance) {
  const std::vector<std::string_view> names{"zebra", "a100", "h100", "a10", "v100"};
  EXPECT_EQ(none_of_name("device", "a101", names),
            "there is no device `a101`; you may mean `a100`, `a10` or `h100`");
}

TEST(NearestNames, FewNamesAreAllThereAre) {
  EXPECT_EQ(none_of_name("library", "x", std::vector<std::string_view>{"nccl", "ideal"}),
            "there is no library `x`; use `nccl` or `ideal`");
  EXPECT_EQ(none_of_name("library", "x", {}), "there is no library `x`");
}

TEST(NearestNames, VeryLongWordsTakeNoTime) {
  const std::vector<std::string_view> names{"a", "b"};
  EXPECT_EQ(none_of_name("model", std::string(10'000'000, 'a'), names),
            "there is no model `" + std::string(60, 'a') + "...`; use `a` or `b`");
}

}  // namespace
}  // namespace orrery::core::nearest_names_test
