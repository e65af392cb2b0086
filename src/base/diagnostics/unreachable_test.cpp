#include "base/diagnostics/unreachable.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace orrery::core::unreachable_test {
namespace {

TEST(Unreachable, SaysWhyNobodyGetsThere) {
  try {
    unreachable("every shape has a name");
  } catch (const std::logic_error& fault) {
    EXPECT_STREQ(fault.what(), "every shape has a name");
  }
}

}  // namespace
}  // namespace orrery::core::unreachable_test
