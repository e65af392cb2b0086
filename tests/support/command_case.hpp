// A case of a command, its files and what it has to answer, written as one text file. tests/errors/README.md
// and tests/answers/README.md describe the format.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/cases.hpp"

namespace orrery::core::test {

struct CaseFile {
  enum class Kind {
    bytes,       // the text is the file
    trace,       // the text describes an execution trace, see trace_text.hpp
    absent,      // the file that common.txt has is missing here
    repository,  // the file of that name in the repository
  };
  Kind kind;
  std::string name;
  std::string text;
};

struct CommandCase {
  struct Result {
    std::string name, text;
  };

  std::optional<std::vector<std::string>> command;  // the words behind `orrery`
  std::string error;                                // all that stderr gets
  std::optional<std::string> output;                // all that stdout gets
  std::optional<int> exit_code;
  std::vector<std::string> written;  // files that may be written although the exit code is not 0
  std::vector<Result> results;       // files that the command writes, with their texts
  std::vector<CaseFile> files;
};

// `name` is the file that the text comes from. Throws std::invalid_argument with a message "NAME:LINE: ..."
// when the text is not a case.
CommandCase parse_command_case(const std::string& text, const std::string& name);

void write_inputs(const CommandCase& command_case, const std::filesystem::path& folder);

// Calls the case's command in the folder.
Outcome call_in(const std::filesystem::path& folder, const CommandCase& command_case);

// Returns each text file GROUP/CASE.txt below a folder as GROUP/CASE, without common.txt. A file that is no
// text file is listed under its full name, which no case has, and so it fails.
std::vector<std::string> all_cases_below(const std::filesystem::path& folder);

// Returns the case's name with other characters than letters and digits replaced, as GoogleTest asks.
std::string test_name_of(std::string case_name);

}  // namespace orrery::core::test
