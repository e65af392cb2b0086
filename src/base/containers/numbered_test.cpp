#include "base/containers/numbered.hpp"

#include <gtest/gtest.h>

#include <string>

namespace orrery::core::numbered_test {
namespace {

TEST(Numbered, NumbersOfTakenValuesAreUsedAgain) {
  Numbered<std::string> values;
  const std::uint32_t a = values.keep("a"), b = values.keep("b");
  EXPECT_NE(a, b);
  EXPECT_EQ(values[b], "b");
  EXPECT_EQ(values.take(a), "a");
  EXPECT_EQ(values.keep("c"), a);
  EXPECT_EQ(values[a], "c");
  EXPECT_EQ(values[b], "b");
}

}  // namespace
}  // namespace orrery::core::numbered_test
