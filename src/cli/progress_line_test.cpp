#include "cli/progress_line.hpp"

#include <gtest/gtest.h>

#include "study/run/run_pool.hpp"

namespace orrery::core::progress_line_test {
namespace {

TEST(RunsProgress, CountsRunsAndTheShareOfAllWork) {
  RunsProgress progress(4);
  EXPECT_EQ(progress.text(), "0 of 4 runs, 0%");
  progress.advance(1, 0.25);
  progress.advance(2, 0.5);
  progress.advance(1, 0.5);
  EXPECT_EQ(progress.text(), "0 of 4 runs, 25%");
  progress.end(1, false);
  EXPECT_EQ(progress.text(), "1 of 4 runs, 38%");
  progress.end(0, true);
  EXPECT_EQ(progress.text(), "2 of 4 runs, 1 failed, 62%");
  EXPECT_DOUBLE_EQ(progress.share(), 0.625);
}

TEST(TimeLeft, IsInProportion) {
  EXPECT_EQ(time_left(0.25, 10), "about 30 s left");
  EXPECT_EQ(time_left(0.02, 10), "about 8 min left");
  EXPECT_EQ(time_left(0.01, 100), "about 3 h left");
}

TEST(TimeLeft, IsNotSaidOfWhatHasHardlyBegun) {
  EXPECT_EQ(time_left(0.005, 10), "");
  EXPECT_EQ(time_left(0.5, 0.5), "");
  EXPECT_EQ(time_left(1, 10), "");
}

TEST(ProgressLine, PrintsLinesAndNothingElseWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    ProgressLine progress("title", 2);
    EXPECT_FALSE(progress.listener(0));
    progress.begin("reading");
    progress.steps()(1, 2, "steps");
    progress.end(0, true);
    progress.print("line");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "line\n");
}

TEST(ProgressLine, MayBeUsedFromSeveralThreads) {
  testing::internal::CaptureStderr();
  {
    ProgressLine progress("title", 100);
    run_in_order(
        100, 4, [&](std::size_t i) { progress.end(i, i % 2 == 0); },
        [&](std::size_t) { progress.print("line"); });
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr().size(), 500u);
}

}  // namespace
}  // namespace orrery::core::progress_line_test
