#include "cli/failure.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core::failure_test {
namespace {

template <class Exception>
RunFailure failure(const Exception& exception) {
  return failure_of(std::make_exception_ptr(exception));
}

TEST(Failure, TellsBadInputFromAStallFromAFaultOfOurs) {
  EXPECT_EQ(failure(InputError({"a.yaml", 2, 3}, "no")).kind, FailureKind::input);
  EXPECT_EQ(failure(InputError({"a.yaml", 2, 3}, "no")).text, "a.yaml:2:3: error: no");
  EXPECT_EQ(failure(StallError("stuck")).kind, FailureKind::stall);
  EXPECT_EQ(failure(StallError("stuck")).text, "error: stuck");
  EXPECT_EQ(failure(std::bad_alloc()).kind, FailureKind::input);
  EXPECT_EQ(failure(std::logic_error("oops")).kind, FailureKind::internal);
  EXPECT_EQ(failure(std::logic_error("oops")).text, "internal error: oops");
}

TEST(Failure, OfManyRunsForOneReasonIsToldOfTheFirst) {
  RepeatedFailures failures;
  EXPECT_TRUE(failures.add("other", "e.yaml:1:1: error: too small"));
  int told = 0;
  for (int i = 0; i < 100; ++i)
    told += failures.add("r" + std::to_string(i), "e.yaml:" + std::to_string(i + 2) + ":3: error: too large")
                ? 1
                : 0;
  EXPECT_EQ(told, 3);
  EXPECT_EQ(
      failures.lines("e.yaml"),
      (std::vector<std::string>{
          "e.yaml: error: 97 more runs fail for the same reason as `r0`: `r3`, `r4`, `r5` and 94 more"}));
}

TEST(Failure, OfOneOfSeveralRunsSaysWhichAndWhere) {
  const auto of_run = [](const auto& exception) {
    return failure_of_run(std::make_exception_ptr(exception), "fast", {"a.yaml", 7, 5}).text;
  };
  EXPECT_EQ(of_run(StallError("stuck")), "a.yaml:7:5: error: run `fast`: stuck");
  EXPECT_EQ(of_run(InputError({}, "too long")), "a.yaml:7:5: error: run `fast`: too long");
  EXPECT_EQ(of_run(InputError({"b.yaml", 2, 3}, "no")), "b.yaml:2:3: error: no (run `fast`)");
  EXPECT_EQ(of_run(std::bad_alloc()),
            "a.yaml:7:5: error: run `fast`: out of memory, simulate fewer NPUs, chunks or training passes");
  EXPECT_EQ(of_run(std::logic_error("oops")), "internal error: oops (run `fast`)");
  const auto of_only_run = [](const auto& exception) {
    return failure_of_run(std::make_exception_ptr(exception), "", {"a.yaml", 7, 5}).text;
  };
  EXPECT_EQ(of_only_run(StallError("stuck")), "a.yaml:7:5: error: stuck");
  EXPECT_EQ(of_only_run(InputError({"b.yaml", 2, 3}, "no")), "b.yaml:2:3: error: no");
}

TEST(Failure, OurFaultIsWorstThenBadInputThenAStall) {
  EXPECT_EQ(worse_of(success, success), success);
  EXPECT_EQ(worse_of(success, stalled), stalled);
  EXPECT_EQ(worse_of(bad_input, stalled), bad_input);
  EXPECT_EQ(worse_of(stalled, internal_error), internal_error);
  EXPECT_EQ(worse_of(bad_input, success), bad_input);
}

}  // namespace
}  // namespace orrery::core::failure_test
