// The commands that the README answers questions with.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::readme_commands_test {
namespace {

namespace fs = std::filesystem;

// Returns the words of those that name an example, without the program's.
std::vector<std::vector<std::string>> commands_of_readme() {
  const std::string opening = "| `orrery ";
  std::vector<std::vector<std::string>> commands;
  std::istringstream lines(read_file_of_any_kind(source_dir() + "/README.md"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find(opening);
    if (begin == line.npos || line.find("examples/") == line.npos) continue;
    const std::size_t first = begin + opening.size();
    std::istringstream words(line.substr(first, line.find('`', first) - first));
    std::vector<std::string>& command = commands.emplace_back();
    for (std::string word; words >> word;) command.push_back(word);
  }
  return commands;
}

class ReadmeCommands : public testing::Test {
 protected:
  void SetUp() override { fs::current_path(source_dir()); }
  void TearDown() override { fs::current_path(before_); }

 private:
  fs::path before_ = fs::current_path();
};

// A crosscheck takes seconds, and a measured step is the reader's own.
TEST_F(ReadmeCommands, EndWell) {
  const TemporaryFolder scratch;
  const std::vector<std::vector<std::string>> commands = commands_of_readme();
  EXPECT_GT(commands.size(), 6u);
  for (std::vector<std::string> command : commands) {
    if (command[0] == "crosscheck" || command[0] == "compare") continue;
    if (command[0] != "topology") command.push_back("--output=" + scratch.path().string());
    const Outcome outcome = call_orrery(command);
    EXPECT_EQ(outcome.exit_code, 0) << command[0] << ": " << outcome.error;
  }
}

}  // namespace
}  // namespace orrery::core::test::readme_commands_test
