#include "cli/failure.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "base/diagnostics.hpp"

namespace orrery {
namespace {

template <class Exception>
Failure failure(const Exception& exception) {
  return failure_of(std::make_exception_ptr(exception));
}

TEST(Failure, TellsBadInputFromAStallFromAFaultOfOurs) {
  EXPECT_EQ(failure(InputError({"a.yaml", 2, 3}, "no")).code, bad_input);
  EXPECT_EQ(failure(InputError({"a.yaml", 2, 3}, "no")).text, "a.yaml:2:3: error: no");
  EXPECT_EQ(failure(StallError("stuck")).code, stalled);
  EXPECT_EQ(failure(StallError("stuck")).text, "error: stuck");
  EXPECT_EQ(failure(std::bad_alloc()).code, bad_input);
  EXPECT_EQ(failure(std::logic_error("oops")).code, internal_error);
  EXPECT_EQ(failure(std::logic_error("oops")).text, "internal error: oops");
}

TEST(Failure, OurFaultIsWorstThenBadInputThenAStall) {
  EXPECT_EQ(worse_of(success, success), success);
  EXPECT_EQ(worse_of(success, stalled), stalled);
  EXPECT_EQ(worse_of(bad_input, stalled), bad_input);
  EXPECT_EQ(worse_of(stalled, internal_error), internal_error);
  EXPECT_EQ(worse_of(bad_input, success), bad_input);
}

}  // namespace
}  // namespace orrery
