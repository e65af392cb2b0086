#include "base/diagnostics/diagnostics.hpp"

#include <gtest/gtest.h>

namespace orrery::core::diagnostics_test {
namespace {

TEST(InputFault, IsWhatAnAttemptThrows) {
  EXPECT_FALSE(fault_in([] {}));
  const InputFault fault = fault_in([] { throw InputError({"a.yaml", 2, 3}, "is wrong"); });
  ASSERT_TRUE(fault);
  EXPECT_STREQ(fault->what(), "a.yaml:2:3: error: is wrong");
}

TEST(InputFault, DoesNotHideOtherErrors) {
  const auto stalls = [] { (void)fault_in([] { throw StallError("nobody sends"); }); };
  EXPECT_THROW(stalls(), StallError);
}

TEST(InputFault, TakesAPlaceWhereItHasNone) {
  const SourceLocation place{"b.yaml", 7};
  EXPECT_STREQ(with_place(place, InputError({}, "is wrong"))->what(), "b.yaml:7: error: is wrong");
  EXPECT_STREQ(with_place(place, InputError({"a.yaml"}, "is wrong"))->what(), "a.yaml: error: is wrong");
  EXPECT_FALSE(with_place(place, InputFault()));
}

TEST(InputFault, IsThrownWhereThereIsOne) {
  EXPECT_NO_THROW(throw_if({}));
  EXPECT_THROW(throw_if(InputError({}, "is wrong")), InputError);
}

}  // namespace
}  // namespace orrery::core::diagnostics_test
