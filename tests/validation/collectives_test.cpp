// The NCCL library against measured collectives; README.md has the sources.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/file.hpp"
#include "collective/library/group_table.hpp"
#include "collective/library/library_file.hpp"
#include "support/source_dir.hpp"

namespace orrery::test::collectives_test {
namespace {

constexpr double mib = 1 << 20;

std::vector<GroupRow> measured_groups() {
  const std::string file = source_dir() + "/tests/validation/collectives.csv";
  return read_group_table(read_text_file(file), file);
}

double error_of_row(const GroupRow& row, const LibraryConstants& constants) {
  Warnings warnings;
  return std::abs(cost_of(row, constants, warnings).seconds / row.seconds.value() - 1);
}

struct CollectiveAccuracy {
  const char* name;
  const char* inside;
  const char* between;
  double least_bytes;
  double largest_error;  // mean of |time - measured| / measured
  double worst_error;
  // Constants that were fitted to these rows.
  std::vector<std::function<double&(LibraryConstants&)>> fitted = {};
};

template <class Link>
Link& named(std::vector<Link>& links, std::string_view name) {
  for (Link& link : links)
    if (link.name == name) return link;
  throw std::out_of_range(std::string(name));
}

class CollectiveTimes : public testing::TestWithParam<CollectiveAccuracy> {
 protected:
  static double mean_error(const LibraryConstants& constants, double* worst = nullptr) {
    const CollectiveAccuracy& wanted = GetParam();
    double sum = 0;
    int count = 0;
    for (const GroupRow& row : measured_groups()) {
      if (row.links.inside.text() != wanted.inside || row.links.between.text() != wanted.between ||
          row.operation == LibraryOperation() || row.bytes < wanted.least_bytes)
        continue;
      const double error = error_of_row(row, constants);
      if (worst) *worst = std::max(*worst, error);
      sum += error;
      ++count;
    }
    return sum / count;
  }
};

TEST_P(CollectiveTimes, MeanErrorIsSmall) {
  double worst = 0;
  EXPECT_LE(mean_error(find_library_constants("nccl", {}), &worst), GetParam().largest_error);
  EXPECT_LE(worst, GetParam().worst_error);
}

// A constant that was not fitted, or to another model, would show here.
TEST_P(CollectiveTimes, OtherConstantsAreWorse) {
  const LibraryConstants nccl = find_library_constants("nccl", {});
  const double error = mean_error(nccl);
  for (const auto& constant : GetParam().fitted) {
    for (const double share : {0.8, 1.2}) {
      LibraryConstants other = nccl;
      constant(other) *= share;
      EXPECT_GT(mean_error(other), error);
    }
  }
}

using Constants = LibraryConstants;
INSTANTIATE_TEST_SUITE_P(
    Links, CollectiveTimes,
    testing::Values(
        CollectiveAccuracy{"nvlink3",
                           "nvlink3",
                           "",
                           mib,
                           0.046,
                           0.46,
                           {[](Constants& c) -> double& { return c.step_growth; },
                            [](Constants& c) -> double& { return named(c.inside, "nvlink3").efficiency; },
                            [](Constants& c) -> double& { return named(c.inside, "nvlink3").step_seconds; }}},
        CollectiveAccuracy{
            "nvlink4",
            "nvlink4",
            "",
            mib,
            0.036,
            0.30,
            {[](Constants& c) -> double& { return c.lone_call_seconds; },
             [](Constants& c) -> double& { return named(c.inside, "nvlink4").efficiency; },
             [](Constants& c) -> double& { return named(c.inside, "nvlink4").switch_efficiency; },
             [](Constants& c) -> double& { return named(c.inside, "nvlink4").switch_seconds; }}},
        CollectiveAccuracy{"nvlink5", "nvlink5", "", mib, 0.09, 0.38, {[](Constants& c) -> double& {
                             return named(c.inside, "nvlink5").efficiency;
                           }}},
        CollectiveAccuracy{"nvl72", "nvlink5-nvl72", "", mib, 0.02, 0.04},
        CollectiveAccuracy{"dgx1", "nvlink2-mesh", "", mib, 0.06, 0.33},
        CollectiveAccuracy{"infiniband",
                           "nvlink4",
                           "ib-ndr",
                           4 * mib,
                           0.07,
                           0.37,
                           {[](Constants& c) -> double& { return named(c.between, "ib-ndr").efficiency; },
                            [](Constants& c) -> double& { return named(c.between, "ib-ndr").step_seconds; }}},
        CollectiveAccuracy{"roce", "nvlink3", "roce-100g", mib, 0.02, 0.04},
        CollectiveAccuracy{"efa",
                           "nvlink3",
                           "efa",
                           mib,
                           0.07,
                           0.33,
                           {[](Constants& c) -> double& { return named(c.between, "efa").efficiency; },
                            [](Constants& c) -> double& { return named(c.between, "efa").step_seconds; }}},
        CollectiveAccuracy{"efa3", "nvlink4", "efa-v3", mib, 0.07, 0.12},
        CollectiveAccuracy{"pairs", "nvlink3-pairs", "", mib, 0.06, 0.26},
        CollectiveAccuracy{"xdr", "nvlink5-nvl72", "ib-xdr", mib, 0.04, 0.07}),
    [](const auto& links) { return std::string(links.param.name); });

// The mean is over large messages, because short ones depend on when the receiver is ready.
TEST(Sends, MeanErrorIsSmall) {
  const LibraryConstants nccl = find_library_constants("nccl", {});
  double sum = 0;
  int count = 0;
  for (const GroupRow& row : measured_groups()) {
    if (row.operation != LibraryOperation() || row.bytes < mib) continue;
    sum += error_of_row(row, nccl);
    ++count;
  }
  EXPECT_EQ(count, 21);
  EXPECT_LE(sum / count, 0.08);
}

}  // namespace
}  // namespace orrery::test::collectives_test
