// Bad input is refused with a message that says where, what and what to do, and leaves nothing behind;
// questionable input is warned about. README.md says how the cases are written.
#include <gtest/gtest.h>

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>

#include "base/file.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"
#include "support/trace_text.hpp"

namespace orrery::test {
namespace {

namespace fs = std::filesystem;

const fs::path errors = fs::path(test::source_dir()) / "tests/errors";

std::vector<std::string> all_cases() {
  std::vector<std::string> cases;
  for (const auto& group : fs::directory_iterator(errors)) {
    if (!group.is_directory() || group.path().filename() == "common") continue;
    for (const auto& entry : fs::directory_iterator(group)) {
      if (entry.path().filename() == "common") continue;
      cases.push_back(fs::relative(entry.path(), errors).string());
    }
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

// Traces are written as text; an empty one says that there is none.
void write_trace(const fs::path& text_file, const fs::path& to) {
  const std::string text = read_text_file(text_file.string());
  const fs::path trace = to / text_file.stem();
  fs::remove(trace);
  if (!text.empty()) write_file_atomically(trace.string(), trace_of_text(text));
}

void copy_inputs(const fs::path& from, const fs::path& to) {
  if (!fs::exists(from)) return;
  for (const auto& entry : fs::directory_iterator(from)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("expected_", 0) == 0) continue;
    if (name.ends_with(".et.txt")) {
      write_trace(entry.path(), to);
      continue;
    }
    fs::copy_file(entry.path(), to / name, fs::copy_options::overwrite_existing);
  }
}

std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> texts;
  for (const std::string& name : files_below(folder)) texts[name] = read_text_file((folder / name).string());
  return texts;
}

// Written, changed or removed.
std::vector<std::string> changed_files(const std::map<std::string, std::string>& before,
                                       const std::map<std::string, std::string>& after) {
  std::vector<std::string> names;
  for (const auto& [name, text] : after) {
    if (!before.contains(name) || before.at(name) != text) names.push_back(name);
  }
  for (const auto& [name, text] : before) {
    if (!after.contains(name)) names.push_back(name);
  }
  return names;
}

// Those with something in them show by that.
std::vector<std::string> empty_folders(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (fs::is_directory(entry) && fs::is_empty(entry))
      names.push_back(fs::relative(entry.path(), folder).string());
  return names;
}

// Those that may be written although the exit code is not 0.
std::vector<std::string> expected_files(const fs::path& folder) {
  std::vector<std::string> names;
  if (!fs::exists(folder / "expected_files.txt")) return names;
  std::istringstream lines(read_text_file((folder / "expected_files.txt").string()));
  for (std::string line; std::getline(lines, line);) names.push_back(line);
  return names;
}

// Words are separated by blanks; a word in double quotes may hold some.
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> std::quoted(word);) words.push_back(word);
  return words;
}

class Errors : public testing::TestWithParam<std::string> {};

TEST_P(Errors, AreReported) {
  const fs::path folder = errors / GetParam();
  const TemporaryFolder scratch;
  copy_inputs(errors / "common", scratch.path());
  copy_inputs(folder.parent_path() / "common", scratch.path());
  copy_inputs(folder, scratch.path());
  fs::create_directory(scratch.path() / "out");
  const auto before = contents(scratch.path());
  const fs::path start = fs::current_path();
  fs::current_path(scratch.path());
  const Outcome outcome = call_orrery(words_of(read_text_file("args.txt")));
  fs::current_path(start);

  EXPECT_EQ(outcome.error, read_text_file((folder / "expected_stderr.txt").string()));
  EXPECT_EQ(outcome.exit_code, std::stoi(read_text_file((folder / "expected_exit_code.txt").string())));
  if (outcome.exit_code != 0) {
    EXPECT_EQ(changed_files(before, contents(scratch.path())), expected_files(folder))
        << "a failed run must not write";
    for (const std::string& name : empty_folders(scratch.path()))
      EXPECT_EQ(name, "out") << "a failed run must not make folders";
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Errors, testing::ValuesIn(all_cases()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace orrery::test
