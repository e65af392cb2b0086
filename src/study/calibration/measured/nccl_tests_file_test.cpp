#include "study/calibration/measured/nccl_tests_file.hpp"

#include <gtest/gtest.h>

namespace orrery::core::nccl_tests_file_test {
namespace {

const std::string four_gpus =
    R"(# nThread 1 nGpus 4 minBytes 8 maxBytes 1048576 step: 2(factor) warmup iters: 5 iters: 20
#
# Using devices
#  Rank  0 Group  0 Pid  4242 on      node1 device  0 [0x07] NVIDIA A100-SXM4-80GB
#  Rank  1 Group  0 Pid  4242 on      node1 device  1 [0x0b] NVIDIA A100-SXM4-80GB
#  Rank  2 Group  0 Pid  4243 on      node2 device  0 [0x07] NVIDIA A100-SXM4-80GB
#  Rank  3 Group  0 Pid  4243 on      node2 device  1 [0x0b] NVIDIA A100-SXM4-80GB
)";
const std::string titles = R"(#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
)";
const std::string sums =
    R"(           8             2     float     sum      -1    12.50    0.00    0.00      0    12.10    0.00    0.00      0
     1048576        262144     float     sum      -1    40.00   26.21   39.32      0    39.00   26.89   40.33      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 12.3
)";

std::string error_of(const std::string& text) {
  try {
    read_nccl_tests(text, "x.txt", {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(NcclTests, RowsHaveTheGroupOfTheListedGpus) {
  const auto rows = read_nccl_tests(four_gpus + titles + sums, "x.txt", {});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].group, (GroupPlacement{4, 2}));
  EXPECT_EQ(rows[0].bytes, 8);
  EXPECT_DOUBLE_EQ(rows[0].seconds, 12.5e-6) << "out of place";
  EXPECT_EQ(rows[0].kind, CollectiveKind::all_reduce) << "2 (n - 1) / n is 1.5, as in the last row";
  EXPECT_EQ(rows[1].kind, CollectiveKind::all_reduce);
  EXPECT_EQ(rows[1].where.line, 13);
}

TEST(NcclTests, TheNameOfTheProgramSaysWhichCollective) {
  const auto rows = read_nccl_tests(
      "# Collective test starting: all_gather_perf\n" + four_gpus + titles + sums, "x.txt", {});
  EXPECT_EQ(rows[0].kind, CollectiveKind::all_gather);
  EXPECT_EQ(read_nccl_tests(four_gpus + titles + sums, "x.txt", CollectiveKind::broadcast)[0].kind,
            CollectiveKind::broadcast);
}

// Older versions have no column `root` and end in `error`. Several outputs may stand in one file.
TEST(NcclTests, OlderFormsAndSeveralTables) {
  const std::string old = R"(#   Rank  0 Pid    77 on node1 device  0 [0x07] Tesla V100
#   Rank  1 Pid    77 on node1 device  1 [0x0a] Tesla V100
#   Rank  2 Pid    77 on node1 device  2 [0x0b] Tesla V100
#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
     1048576        262144   float     sum    40.00   26.21   17.47  0e+00    39.00   26.89   40.33  0e+00
)";
  const auto rows = read_nccl_tests(four_gpus + titles + sums + old, "x.txt", {});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].kind, CollectiveKind::all_reduce);
  EXPECT_EQ(rows[2].kind, CollectiveKind::reduce_scatter) << "(n - 1) / n, and it adds up";
  EXPECT_EQ(rows[2].group, (GroupPlacement{3, 3}));
}

TEST(NcclTests, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of(titles + sums),
            "x.txt: error: does not say which GPUs took part; leave its lines `# Rank` in");
  EXPECT_EQ(error_of(four_gpus + titles),
            "x.txt: error: has no line with the time of a collective; give the output of a program of "
            "nccl-tests, such as all_reduce_perf, as it was printed");
  const std::string bad =
      "        8             2     float     sum      -1    fast    0.00    0.00      0\n";
  EXPECT_EQ(error_of(four_gpus + titles + bad), "x.txt:12:54: error: time has to be a number, not `fast`");
  const std::string gathers = "  1048576   262144  float  none  -1  40.00   26.21   19.66  0\n";
  EXPECT_EQ(
      error_of(four_gpus + titles + gathers),
      "x.txt:12:3: error: this table does not tell of which collective it is; give it by `--kind`, such "
      "as `--kind=all-gather`");
}

}  // namespace
}  // namespace orrery::core::nccl_tests_file_test
