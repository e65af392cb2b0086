#include "study/cluster/job_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/diagnostics/diagnostics.hpp"
#include "study/cluster/slurm.hpp"

namespace orrery::core::job_folder_test {

namespace {

namespace fs = std::filesystem;

class JobFolderTest : public testing::Test {
 protected:
  JobFolderTest() { fs::create_directories(folder.path()); }
  ~JobFolderTest() override { fs::remove_all(folder.path()); }

  const JobFolder folder{testing::TempDir() + "job_folder_test_" +
                         testing::UnitTest::GetInstance()->current_test_info()->name() + ".sqlite"};
};

TEST_F(JobFolderTest, KeepsTheJob) {
  EXPECT_FALSE(folder.job());
  SubmittedJob job{"12", "13", "2026-01-02T03:04:05Z", 7, 4, {3, 2}, {1.5, 2.5}};
  folder.write(job);
  const auto read = folder.job();
  ASSERT_TRUE(read);
  EXPECT_EQ(read->array, "12");
  EXPECT_EQ(read->merging, "13");
  EXPECT_EQ(read->in_store, 7u);
  EXPECT_EQ(read->runs, job.runs);
  EXPECT_EQ(read->seconds, job.seconds);
  folder.forget_job();
  EXPECT_FALSE(folder.job());
  std::ofstream(folder.path() / "job.json") << "{}";
  EXPECT_THROW(folder.job(), InputError);
}

// A task that was started again on another machine may have two stores, and each says how far it is.
TEST_F(JobFolderTest, KnowsHowFarTasksAre) {
  EXPECT_FALSE(folder.seconds_of_silence());
  write_task_progress((folder.path() / "part-1.sqlite").string(), {5, 1});
  write_task_progress((folder.path() / "part-1-r1.sqlite").string(), {8, 0});
  write_task_progress((folder.path() / "part-12.sqlite").string(), {40, 2});
  EXPECT_EQ(folder.progress_of(1).done, 8u);
  EXPECT_EQ(folder.progress_of(1).failed, 1u);
  EXPECT_EQ(folder.progress_of(12).done, 40u);
  EXPECT_EQ(folder.progress_of(2).done, 0u);
  ASSERT_TRUE(folder.seconds_of_silence());
  EXPECT_LT(*folder.seconds_of_silence(), 60);
}

TEST_F(JobFolderTest, FindsAndRemovesStoresOfTasks) {
  for (const char* name :
       {"part-2.sqlite", "part-2-r1.sqlite", "part-2.sqlite-wal", "parts.txt", "part-2.log"})
    std::ofstream(folder.path() / name) << "";
  EXPECT_EQ(folder.stores().size(), 2u);
  merge_tasks(folder);  // Stores that are empty were hardly begun.
  EXPECT_TRUE(folder.stores().empty());
  EXPECT_FALSE(fs::exists(folder.path() / "part-2.sqlite-wal"));
  EXPECT_TRUE(fs::exists(folder.path() / "parts.txt"));
  EXPECT_TRUE(fs::exists(folder.path() / "part-2.log"));
}

TEST(Slurm, KnowsWhichTasksHaveEnded) {
  for (const char* state : {"PENDING", "RUNNING", "COMPLETING", "REQUEUED", "REQUEUE_HOLD", "SUSPENDED"})
    EXPECT_TRUE(is_at_work(state)) << state;
  for (const char* state : {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY"})
    EXPECT_FALSE(is_at_work(state)) << state;
}

}  // namespace

}  // namespace orrery::core::job_folder_test
