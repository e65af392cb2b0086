#include "study/cluster/job_script.hpp"

#include <gtest/gtest.h>

#include "base/diagnostics/diagnostics.hpp"
#include "study/cluster/program.hpp"

namespace orrery::core::job_script_test {

namespace {

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

SweepJob job_of_three_tasks() {
  SweepJob job{"fabric", "/opt/orrery", "/home/a b", "fabric.yaml", {"--set=x=it's"}, 3, {}};
  job.wishes = {"compute", "", "1:00:00", 4, 2};
  return job;
}

TEST(JobScript, SaysWhatUsersWish) {
  const std::string script = array_script(job_of_three_tasks(), JobFolder("/data/50%/fabric.sqlite"));
  EXPECT_TRUE(has_line(script, "#SBATCH --array=1-3%2"));
  EXPECT_TRUE(has_line(script, "#SBATCH --partition=\"compute\""));
  EXPECT_TRUE(has_line(script, "#SBATCH --time=\"1:00:00\""));
  EXPECT_TRUE(has_line(script, "#SBATCH --cpus-per-task=4"));
  EXPECT_TRUE(has_line(script, "#SBATCH --output=\"/data/50%%/fabric.slurm/part-%a.log\""));
  EXPECT_TRUE(has_line(script, "cd '/home/a b' || exit"));
  EXPECT_EQ(script.find("--account"), std::string::npos);
  EXPECT_NE(script.find("exec /opt/orrery sweep fabric.yaml '--set=x=it'\\''s' "), std::string::npos);
}

TEST(JobScript, RefusesWhatSbatchCannotRead) {
  SweepJob job = job_of_three_tasks();
  job.wishes.partition = "a\"b";
  EXPECT_THROW(array_script(job, JobFolder("x.sqlite")), InputError);
  job.wishes.partition = "a\n#SBATCH --wrap";
  EXPECT_THROW(array_script(job, JobFolder("x.sqlite")), InputError);
}

// A shell says the same word as was quoted.
TEST(JobScript, QuotesWordsForTheShell) {
  for (const std::string word :
       {"plain", "a b", "it's", "$HOME", "a\nb", "`date`", "\"", "\\", "*", "!", "-n"}) {
    const auto ended = run_program({"sh", "-c", "printf '%s' " + shell_word(word)});
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->output, word);
  }
}

TEST(RunProgram, SaysWhatCameOfIt) {
  const auto ended = run_program({"sh", "-c", "echo out; echo err >&2; exit 3"});
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->status, 3);
  EXPECT_EQ(ended->output, "out\n");
  EXPECT_EQ(ended->errors, "err\n");
  EXPECT_FALSE(run_program({"orrery-has-no-such-program"}));
  const auto killed = run_program({"sh", "-c", "kill -9 $$"});
  ASSERT_TRUE(killed);
  EXPECT_EQ(killed->status, 128 + 9);
  const auto much = run_program({"sh", "-c", "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2"});
  ASSERT_TRUE(much);
  EXPECT_EQ(much->output.size() + much->errors.size(), 2'000'000u);
}

}  // namespace

}  // namespace orrery::core::job_script_test
