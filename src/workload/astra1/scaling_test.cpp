// The table is that of docs/models/training-loops.md, Scaling. They follow from binary32's rules.
#include "workload/astra1/scaling.hpp"

#include <gtest/gtest.h>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core::scaling_test {
namespace {

struct Row {
  std::int64_t value;
  double factor;
  std::int64_t result;
};
constexpr Row table[] = {{3429, 0.41, 1405},
                         {500, 0.41, 205},  // rounds up in binary32; 204 in binary64
                         {36290323, 1, 36290324},
                         {16777217, 1, 16777216},
                         {16777219, 1, 16777220},
                         {36290323, 0.41, 14879033},
                         {123456789, 0.41, 50617284},
                         {123456789, 1, 123456792},
                         {0, 0.41, 0},
                         {1000, 0, 0}};

TEST(Scaling, RoundsToBinary32InSinglePrecision) {
  for (const Row& row : table) {
    EXPECT_EQ(scaled(Time::from_ns(row.value), row.factor, astra_sim_1_dialect), Time::from_ns(row.result))
        << row.value;
    EXPECT_EQ(scaled(Bytes(static_cast<std::uint64_t>(row.value)), row.factor, astra_sim_1_dialect).count(),
              static_cast<std::uint64_t>(row.result));
  }
}

TEST(Scaling, IsExactNatively) {
  EXPECT_EQ(scaled(Time::from_ns(36290323), 1, native_dialect), Time::from_ns(36290323));
  EXPECT_EQ(scaled(Time::from_ns(500), 0.41, native_dialect), Time::from_ns(205));
  EXPECT_EQ(scaled(Time::from_ns(3429), 0.41, native_dialect), Time::from_ps(1405890));
  EXPECT_EQ(scaled(Time::from_ps(1234567), 1, native_dialect), Time::from_ps(1234567));
  EXPECT_EQ(scaled(Bytes(16777217), 1, native_dialect), Bytes(16777217));
  EXPECT_EQ(scaled(Bytes(3429), 0.41, native_dialect), Bytes(1406));  // to the nearest byte
}

TEST(Scaling, RefusesWhatNoClockOrMemoryHolds) {
  const Time longest = Time::longest_input();
  for (const Dialect& dialect : {native_dialect, astra_sim_1_dialect}) {
    EXPECT_THROW(scaled(longest, 1.01, dialect), InputError);
    EXPECT_THROW(scaled(Time::from_ns(1), 1e300, dialect), InputError);
    EXPECT_THROW(scaled(Bytes(std::uint64_t{1} << 52), 2.5, dialect), InputError);
    EXPECT_NO_THROW(scaled(longest, 0.99, dialect));
  }
}

}  // namespace
}  // namespace orrery::core::scaling_test
