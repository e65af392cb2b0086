// What commands print and what they write, to the last byte. README.md says how the cases are written, and
// how they are written anew after a deliberate change.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/command_case.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::answers_test {
namespace {

namespace fs = std::filesystem;

const fs::path answers = fs::path(test::source_dir()) / "tests/answers";

bool are_written_anew() {
  return std::getenv("ORRERY_WRITE_ANSWERS") != nullptr;
}

// Returns the text of a case with what the command has answered in place of what the case expected.
std::string with_answers(const std::string& text, const CommandCase& expected, const Outcome& outcome,
                         const fs::path& folder) {
  std::string head = text.substr(0, text.find("--- "));
  std::string inputs;
  if (const std::size_t place = text.find("\n=== "); place != std::string::npos)
    inputs = text.substr(place + 1);
  if (head.size() == text.size()) head = text.substr(0, text.size() - inputs.size());
  if (!outcome.error.empty()) head += "--- stderr\n" + outcome.error;
  if (expected.output) head += "--- stdout\n" + outcome.output;
  for (const auto& [name, unused] : expected.results)
    head += "--- wrote " + name + "\n" + read_file_of_any_kind((folder / name).string());
  return head + "--- exit " + std::to_string(outcome.exit_code) + "\n" + inputs;
}

class Answers : public testing::TestWithParam<std::string> {};

TEST_P(Answers, AreTheSame) {
  const fs::path file = answers / (GetParam() + ".txt");
  const std::string text = read_file_of_any_kind(file.string());
  const CommandCase expected = parse_command_case(text, fs::relative(file, answers).string());
  ASSERT_TRUE(expected.output || !expected.results.empty()) << "the case expects nothing";
  const TemporaryFolder scratch;
  write_inputs(expected, scratch.path());
  const Outcome outcome = call_in(scratch.path(), expected);
  ASSERT_EQ(outcome.exit_code, 0) << "it answers nothing, and belongs to tests/errors: " << outcome.error;
  for (const auto& [name, unused] : expected.results)
    ASSERT_TRUE(fs::exists(scratch.path() / name)) << name << " is not written";

  if (are_written_anew()) {
    std::ofstream(file) << with_answers(text, expected, outcome, scratch.path());
    return;
  }
  EXPECT_EQ(outcome.error, expected.error);
  if (expected.output) {
    EXPECT_EQ(outcome.output, *expected.output);
  }
  for (const auto& [name, content] : expected.results)
    EXPECT_EQ(read_file_of_any_kind((scratch.path() / name).string()), content) << name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Answers, testing::ValuesIn(all_cases_below(answers)),
                         [](const auto& parameter) { return test_name_of(parameter.param); });

}  // namespace
}  // namespace orrery::core::test::answers_test
