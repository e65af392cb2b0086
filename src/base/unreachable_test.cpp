#include "base/unreachable.hpp"

#include <gtest/gtest.h>

namespace orrery::unreachable_test {
namespace {

TEST(UnreachableDeathTest, SaysWhatCannotBeAndAborts) {
  EXPECT_DEATH(unreachable("a queue has no fifth order"),
               "a fault of the program: a queue has no fifth order");
}

}  // namespace
}  // namespace orrery::unreachable_test
