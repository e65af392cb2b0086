// Tests what may be typed: commands that explain the program, and ASTRA-sim's flags without a command.
#include <gtest/gtest.h>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::command_line_test {
namespace {

TEST(CommandLine, HelpOfACommandIsItsHelp) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run"}, {"list"}, {"compute", "systolic"}}) {
    std::vector<std::string> help{"help"}, flag = command;
    help.insert(help.end(), command.begin(), command.end());
    flag.emplace_back("--help");
    const Outcome outcome = call_orrery(help);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.output, call_orrery(flag).output);
    EXPECT_NE(outcome.output.find("Usage: orrery " + command[0]), std::string::npos) << outcome.output;
  }
  EXPECT_EQ(call_orrery({"help"}).output, call_orrery({"--help"}).output);
}

TEST(CommandLine, ListSaysWhatItLists) {
  const Outcome outcome = call_orrery({"list"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output,
            "orrery list backends\norrery list devices\norrery list host-stacks\norrery list models\norrery "
            "list platforms\n"
            "orrery list plug-ins\norrery list stacks\n");
}

TEST(CommandLine, FlagsOfAstraSimNeedNoCommand) {
  const TemporaryFolder folder;
  const std::string path = folder.path().string() + "/";
  write_file_atomically(path + "workload.txt", "DATA\n1\na -1 10 NONE 0 10 NONE 0 10 ALLREDUCE 1024 1\n");
  write_file_atomically(path + "network.json",
                        R"({"topologies-per-dim": ["Ring"], "units-count": [4], "links-count": [2],
                            "link-latency": [100], "link-bandwidth": [25]})");
  write_file_atomically(path + "system.txt",
                        "scheduling-policy: LIFO\nendpoint-delay: 1\nactive-chunks-per-dimension: 1\n"
                        "preferred-dataset-splits: 1\nall-reduce-implementation: ring\n"
                        "all-gather-implementation: ring\nreduce-scatter-implementation: ring\n"
                        "all-to-all-implementation: ring\ncollective-optimization: baseline\n");
  std::vector<std::string> flags{
      "--workload-configuration=" + path + "workload.txt", "--system-configuration=" + path + "system.txt",
      "--network-configuration=" + path + "network.json", "--path=" + path, "--run-name=one"};
  const Outcome without = call_orrery(flags);
  EXPECT_EQ(without.exit_code, 0) << without.error;
  flags.insert(flags.begin(), "run");
  EXPECT_EQ(without.output, call_orrery(flags).output);
  // The all-reduce follows the computing of the layer's weight gradient.
  EXPECT_NE(read_file_of_any_kind(path + "one_timeline.csv").find("collective,a,weight-gradient"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::core::test::command_line_test
