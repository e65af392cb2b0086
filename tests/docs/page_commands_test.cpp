// The commands that pages of docs/ show in blocks of the language `console` work, and print what the page
// shows. scripts/write-key-tables has this test write what they print.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::page_commands_test {
namespace {

namespace fs = std::filesystem;

// A folder that holds the examples alone is the working one as long as this object exists.
class WorkingFolder {
 public:
  WorkingFolder() : before_(fs::current_path()) {
    fs::current_path(folder_.path());
    fs::create_directory_symlink(source_dir() + std::string("/examples"), "examples");
  }
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

// A page that is read line by line while its commands are carried out.
class CommandPage {
 public:
  explicit CommandPage(const std::string& text) : lines_(text) {}

  // Returns the page with what its commands print.
  std::string with_outputs() {
    for (std::string line; std::getline(lines_, line);) {
      if (line.starts_with("```")) {
        fence(line);
      } else if (language_ != "console") {
        block_ += line + '\n';
        out_ += line + '\n';
      } else if (line.starts_with("$ ")) {
        out_ += line + '\n';
        out_ += output_of(whole_command(line.substr(2)));
      }
    }
    return out_;
  }

 private:
  // A block with a title, or of YAML that begins with a comment of a name, is the file of that name.
  void fence(const std::string& line) {
    out_ += line + '\n';
    if (!language_.empty()) {
      if (file_.empty() && language_ == "yaml" && block_.starts_with("# "))
        file_ = block_.substr(2, block_.find('\n') - 2);
      if (!file_.empty()) std::ofstream(file_) << block_;
    }
    const bool opens = language_.empty();
    const std::size_t blank = line.find(' ');
    language_ = opens ? line.substr(3, blank - 3) : "";
    if (opens && language_.empty()) language_ = "text";
    static const std::regex title("title=\"([^\"]+)\"");
    std::smatch found;
    file_ = opens && std::regex_search(line, found, title) ? found[1].str() : "";
    block_.clear();
  }

  // A backslash at the end of a line leads on to the next one.
  std::string whole_command(std::string command) {
    for (std::string next; command.ends_with("\\") && std::getline(lines_, next);) {
      out_ += next + '\n';
      command.pop_back();
      command += next.substr(std::min(next.find_first_not_of(' '), next.size()));
    }
    return command;
  }

  std::istringstream lines_;
  std::string out_, language_, file_, block_;
};

std::vector<std::string> pages_below(const std::string& folder) {
  std::vector<std::string> pages;
  for (const auto& entry : fs::recursive_directory_iterator(source_dir() + ("/docs" + folder)))
    if (entry.path().extension() == ".md") pages.push_back(entry.path().string());
  std::ranges::sort(pages);
  return pages;
}

std::vector<std::string> pages_with_commands() {
  std::vector<std::string> pages = pages_below("");
  std::erase_if(pages, [](const std::string& page) {
    return read_file_of_any_kind(page).find("\n```console\n") == std::string::npos;
  });
  return pages;
}

// Returns whether the commands of the page simulate for many seconds.
bool takes_seconds(const std::string& page) {
  return page.ends_with("/how-to/fabric-study.md");
}

std::vector<std::string> pages_that_take_seconds(bool wanted) {
  std::vector<std::string> pages = pages_with_commands();
  std::erase_if(pages, [&](const std::string& page) { return takes_seconds(page) != wanted; });
  return pages;
}

class PageCommands : public testing::TestWithParam<std::string> {};
class PageCommandsSlow : public testing::TestWithParam<std::string> {};

void expect_what_the_page_shows(const std::string& file) {
  const std::string page = read_file_of_any_kind(file);
  const WorkingFolder folder;
  const std::string expected = CommandPage(page).with_outputs();
  if (std::getenv("ORRERY_WRITE_PAGES") != nullptr) {
    std::ofstream(file) << expected;
    return;
  }
  EXPECT_EQ(page, expected) << "run scripts/write-key-tables";
}

TEST_P(PageCommands, print_what_the_page_shows) {
  expect_what_the_page_shows(GetParam());
}

TEST_P(PageCommandsSlow, print_what_the_page_shows) {
  expect_what_the_page_shows(GetParam());
}

std::string test_name(const testing::TestParamInfo<std::string>& instance) {
  const std::size_t begin = instance.param.find("/docs/") + 6;
  return std::regex_replace(instance.param.substr(begin, instance.param.size() - begin - 3),
                            std::regex("[^A-Za-z0-9]"), "_");
}

INSTANTIATE_TEST_SUITE_P(Documentation, PageCommands, testing::ValuesIn(pages_that_take_seconds(false)),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Documentation, PageCommandsSlow, testing::ValuesIn(pages_that_take_seconds(true)),
                         test_name);

// A command outside such a block would be shown, but never run.
TEST(PagesOfTasks, ShowNoCommandThatIsNotRun) {
  const std::regex command(R"(\s*(\$ )?(build/release/)?orrery .*)");
  for (const char* const folder : {"/how-to", "/migration"}) {
    for (const std::string& page : pages_below(folder)) {
      std::istringstream lines(read_file_of_any_kind(page));
      std::string language;
      for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) {
          language = language.empty() ? line.substr(3) + ' ' : "";
        } else if (language != "console ") {
          EXPECT_FALSE(std::regex_match(line, command)) << page << ": " << line;
        }
      }
    }
  }
}

}  // namespace
}  // namespace orrery::core::test::page_commands_test
