// Progress on stderr: only where somebody looks, and nothing is left of it.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "base/files/file_writer.hpp"
#include "cli/application.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::progress_test {
namespace {

const std::string erased = "\r\x1b[K";

std::string example(const std::string& name) {
  return std::string(source_dir()) + "/examples/" + name + ".yaml";
}

std::vector<std::string> run_of(const std::string& name, const std::string& output) {
  return {"run", example(name), "--output=" + output};
}

TEST(Progress, IsNotInAPipe) {
  const TemporaryFolder scratch;
  const Outcome outcome = call_orrery(run_of("ring-allreduce", scratch.path().string()));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.error, "");
}

TEST(Progress, IsWhereverItIsAskedForAndErasedAtTheEnd) {
  const TemporaryFolder scratch;
  std::vector<std::string> words = run_of("ring-allreduce", scratch.path().string());
  words.emplace_back("--progress=on");
  const Outcome outcome = call_orrery(words);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.error.find("\rring-allreduce"), std::string::npos) << outcome.error;
  EXPECT_TRUE(outcome.error.ends_with(erased)) << outcome.error;
  EXPECT_EQ(outcome.error.find('\n'), std::string::npos);
  words.back() = "--progress=off";
  EXPECT_EQ(call_orrery(words).error, "");
}

TEST(Progress, OfOneCallIsNotThatOfTheNext) {
  const TemporaryFolder scratch;
  std::vector<std::string> words = run_of("ring-allreduce", scratch.path().string());
  words.emplace_back("--progress=on");
  call_orrery(words);
  words.pop_back();
  EXPECT_EQ(call_orrery(words).error, "");
}

// Every command that may take longer than a second shows a line of progress, whatever it does in that time.
TEST(Progress, IsOfEveryCommandThatMayTakeLong) {
  const TemporaryFolder scratch;
  const auto path = [&](const std::string& name) { return (scratch.path() / name).string(); };
  const std::string results = path("results");
  write_file_atomically(path("flows.csv"), "source,destination,bytes\n0,1,1000\n");
  const std::string fat_tree = std::string(source_dir()) + "/examples/networks/fat-tree.yaml";
  const std::string ring = example("ring-allreduce");
  const std::vector<std::vector<std::string>> commands{
      {"run", ring, "--output=" + results},
      {"explain", ring, "--output=" + results},
      {"report", results + "/ring-allreduce"},
      {"compare", results + "/ring-allreduce", results + "/ring-allreduce"},
      {"convert", ring, "--output=" + path("traces"), "--per-rank"},
      {"generate", "--model=alexnet", "--device=v100", "--batch=8", "--output_file=" + path("table.txt")},
      {"topology", fat_tree},
      {"flows", "--topology=" + fat_tree, "--flows=" + path("flows.csv")},
      {"validate", ring},
  };
  for (std::vector<std::string> words : commands) {
    words.emplace_back("--progress=on");
    const Outcome outcome = call_orrery(words);
    EXPECT_TRUE(outcome.error.starts_with("\r")) << words[0] << ": " << outcome.error;
    EXPECT_TRUE(outcome.error.ends_with(erased)) << words[0] << ": " << outcome.error;
    EXPECT_EQ(outcome.exit_code, 0) << words[0] << ": " << outcome.error;
  }
  write_file_atomically(path("network.yml"),
                        "topology: [ Ring ]\nnpus_count: [ 8 ]\nbandwidth: [ 50 ]\nlatency: [ 500 ]\n");
  write_file_atomically(path("system.json"), R"({"all-reduce-implementation": ["ring"]})");
  const Outcome traces = call_orrery({"run", "--workload-configuration=" + path("traces/ring-allreduce"),
                                      "--system-configuration=" + path("system.json"),
                                      "--network-configuration=" + path("network.yml"), "--progress=on"});
  EXPECT_EQ(traces.exit_code, 0) << traces.error;
  EXPECT_NE(traces.error.find("\rtraces"), std::string::npos) << traces.error;
}

// Returns what a command writes on a terminal of 60 columns.
std::string on_terminal(const std::vector<std::string>& words, const char* in_ci) {
  winsize size{24, 60, 0, 0};
  int terminal = 0;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    setenv("CI", in_ci, 1);
    std::vector<std::string> all{"orrery"};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    _exit(run_application(static_cast<int>(arguments.size()), arguments.data()));
  }
  std::string text;
  char part[4096];
  for (ssize_t count = 0; (count = read(terminal, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(count));
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << text;
  return text;
}

TEST(Progress, IsOnATerminalWhatTakesLongerThanASecondSlow) {
  const TemporaryFolder scratch;
  std::vector<std::string> words = run_of("resnet50-torus", scratch.path().string());
  words.insert(words.end(), {"--set", "passes=150", "--reports=none"});
  const std::string text = on_terminal(words, "");
  EXPECT_NE(text.find(" left"), std::string::npos) << text;
  EXPECT_NE(text.find(erased), std::string::npos) << text;
  for (std::size_t begin = text.find('\r'); begin != std::string::npos;) {
    const std::size_t end = text.find_first_of("\r\x1b\n", begin + 1);
    EXPECT_LT(end - begin - 1, 60u) << text.substr(begin, end - begin);
    begin = text.find('\r', begin + 1);
    if (text.compare(begin, 2, "\r\n") == 0) break;
  }
  EXPECT_EQ(on_terminal(words, "true").find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace orrery::core::test::progress_test
