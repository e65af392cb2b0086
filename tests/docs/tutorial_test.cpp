// The commands of docs/tutorial.md work, and print what the page shows. scripts/write-key-tables has this
// test write what they print.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::tutorial_test {
namespace {

namespace fs = std::filesystem;

// An empty folder is the working one as long as this object exists.
class WorkingFolder {
 public:
  WorkingFolder() : before_(fs::current_path()) { fs::current_path(folder_.path()); }
  ~WorkingFolder() { fs::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  const TemporaryFolder folder_;
  const fs::path before_;
};

std::string output_of_shell(const std::string& command) {
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  pclose(pipe);
  return output;
}

std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : command + ' ') {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  return words;
}

// Orrery runs within this process; all else, and what stands behind a pipe or ">", is for the shell.
std::string output_of(const std::string& command) {
  if (!command.starts_with("orrery ")) return output_of_shell(command);
  const std::size_t rest = std::min(command.find(" | "), command.find(" > "));
  std::vector<std::string> words = words_of(command.substr(0, rest));
  words.erase(words.begin());
  const Outcome outcome = call_orrery(words);
  EXPECT_EQ(outcome.exit_code, 0) << command << '\n' << outcome.error;
  EXPECT_EQ(outcome.error, "") << command;
  if (rest == std::string::npos) return outcome.output;
  std::ofstream("printed") << outcome.output;
  return output_of_shell("cat printed" + command.substr(rest));
}

// The page with what its commands print. A block of YAML that begins with a comment of a name is that file.
std::string with_outputs(const std::string& page) {
  std::istringstream lines(page);
  std::string out, file, language;
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.starts_with("```"), opens = fence && language.empty();
    if (fence) {
      if (!file.empty()) std::ofstream(file.substr(2, file.find('\n') - 2)) << file;
      file.clear();
      language = opens ? line.substr(3) : "";
    } else if (language == "yaml") {
      file += line + '\n';
    }
    const bool command = language == "console" && line.starts_with("$ ");
    if (fence || command || language != "console") out += line + '\n';
    if (command) out += output_of(line.substr(2));
  }
  return out;
}

TEST(Tutorial, shows_what_its_commands_print) {
  const std::string file = test::source_dir() + std::string("/docs/tutorial.md"),
                    page = read_file_of_any_kind(file);
  const WorkingFolder folder;
  const std::string expected = with_outputs(page);
  if (std::getenv("ORRERY_WRITE_PAGES") != nullptr) {
    std::ofstream(file) << expected;
    return;
  }
  EXPECT_EQ(page, expected) << "run scripts/write-key-tables";
}

}  // namespace
}  // namespace orrery::core::test::tutorial_test
