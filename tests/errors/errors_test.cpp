// Bad input is refused with a message that says where, what and what to do, and leaves nothing behind;
// questionable input is warned about. README.md says how the cases are written.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/command_case.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::errors_test {
namespace {

namespace fs = std::filesystem;

const fs::path errors = fs::path(test::source_dir()) / "tests/errors";

const std::string common_name = "common.txt";

CommandCase read_case(const fs::path& path) {
  return parse_command_case(read_file_of_any_kind(path.string()),
                            fs::relative(path, errors.parent_path()).string());
}

// The case's own settings have precedence over those in the common.txt of its group, and these over those for
// all groups.
CommandCase case_of(const std::string& name) {
  CommandCase all;
  const fs::path path = errors / (name + ".txt");
  for (const fs::path& part : {errors / common_name, path.parent_path() / common_name, path}) {
    if (part.filename() == common_name && !fs::exists(part)) continue;
    CommandCase read = read_case(part);
    if (read.command) all.command = read.command;
    if (read.exit_code) all.exit_code = read.exit_code;
    all.error = read.error;
    all.written = read.written;
    std::ranges::move(read.files, std::back_inserter(all.files));
  }
  if (!all.exit_code)
    throw std::invalid_argument(path.string() + ":1: the section '--- exit CODE' is missing");
  return all;
}

std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> texts;
  for (const std::string& name : files_below(folder))
    texts[name] = read_file_of_any_kind((folder / name).string());
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

// Returns the folders that hold nothing. Others show by what they hold.
std::vector<std::string> empty_folders(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (fs::is_directory(entry) && fs::is_empty(entry))
      names.push_back(fs::relative(entry.path(), folder).string());
  return names;
}

class Errors : public testing::TestWithParam<std::string> {};

TEST_P(Errors, AreReported) {
  const CommandCase bad = case_of(GetParam());
  const TemporaryFolder scratch;
  write_inputs(bad, scratch.path());
  fs::create_directory(scratch.path() / "out");
  const auto before = contents(scratch.path());
  const Outcome outcome = call_in(scratch.path(), bad);

  EXPECT_EQ(outcome.error, bad.error);
  EXPECT_EQ(outcome.exit_code, bad.exit_code);
  if (outcome.exit_code != 0) {
    EXPECT_EQ(changed_files(before, contents(scratch.path())), bad.written) << "a failed run must not write";
    for (const std::string& name : empty_folders(scratch.path()))
      EXPECT_EQ(name, "out") << "a failed run must not make folders";
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Errors, testing::ValuesIn(all_cases_below(errors)),
                         [](const auto& parameter) { return test_name_of(parameter.param); });

}  // namespace
}  // namespace orrery::core::test::errors_test
