// A case of bad input, written as one text file. tests/errors/README.md describes the format.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace orrery::test {

struct CaseFile {
  enum class Kind {
    bytes,   // the text is the file
    trace,   // the text describes an execution trace, see trace_text.hpp
    absent,  // the file that common.txt has is missing here
  };
  Kind kind;
  std::string name;
  std::string text;
};

struct ErrorCase {
  std::optional<std::vector<std::string>> command;  // the words behind `orrery`
  std::string error;                                // all that stderr gets
  std::optional<int> exit_code;
  std::vector<std::string> written;  // files that may be written although the exit code is not 0
  std::vector<CaseFile> files;
};

// `name` is the file that the text comes from. Throws std::invalid_argument with a message "NAME:LINE: ..."
// when the text is not a case.
ErrorCase parse_error_case(const std::string& text, const std::string& name);

}  // namespace orrery::test
