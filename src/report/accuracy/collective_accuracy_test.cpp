#include "report/accuracy/collective_accuracy.hpp"

#include <gtest/gtest.h>

#include "support/interval_coverage.hpp"

namespace orrery::core::collective_accuracy_test {
namespace {

// docs/models/accuracy.md says so.
TEST(CollectiveAccuracy, intervals_hold_eight_of_ten_collectives_of_systems_that_they_do_not_know) {
  const double coverage = test::coverage_without_own_source(collective_errors(), [](const MeasuredError&) {
                            return true;
                          }).share();
  EXPECT_GE(coverage, 0.75);
  EXPECT_LE(coverage, 0.85);
}

TEST(CollectiveAccuracy, is_less_for_links_that_nobody_has_measured) {
  GroupRow row;
  row.links.inside = "nvlink4";
  row.group = {8, 8};
  row.bytes = 1 << 28;
  CollectiveCost cost;
  cost.seconds = 1e-3;
  const ErrorInterval known = collective_interval("NCCL", row, cost, usual_interval_share);
  row.links.inside = "450 GB/s";
  const ErrorInterval other = collective_interval("NCCL", row, cost, usual_interval_share);
  EXPECT_GT(other.high / other.low, known.high / known.low);
  EXPECT_LT(known.high / known.low, 2);
}

TEST(CollectiveAccuracy, no_interval_begins_before_the_links_can_have_carried_the_bytes) {
  GroupRow row;
  row.links.inside = "nvlink4";
  row.group = {8, 8};
  row.bytes = 1e10;
  CollectiveCost cost;
  cost.seconds = 1e-3;
  const double low = collective_interval("NCCL", row, cost, usual_interval_share).low;
  ASSERT_LT(low, 0.98);
  cost.least_seconds = 0.99e-3;
  EXPECT_DOUBLE_EQ(collective_interval("NCCL", row, cost, usual_interval_share).low, 0.99);
}

}  // namespace
}  // namespace orrery::core::collective_accuracy_test
