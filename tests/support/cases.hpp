// Golden cases: folders with flags, inputs and expected reports.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace orrery::core::test {

// Flags of one run, without the program's name.
using Flags = std::vector<std::string>;

// The runs of the case in `folder`; files they name are relative to it.
std::vector<Flags> flags_of_case(const std::filesystem::path& folder);

// Calls orrery with these words, within this process. Gives its exit code and what it wrote.
struct Outcome {
  int exit_code;
  std::string error;
  std::string output;
};
Outcome call_orrery(std::vector<std::string> words);
// `orrery run`.
Outcome run_orrery(const Flags& flags);

// summary.json without what tells the command line and the inputs, which differ between equal results.
std::string without_origin(const std::string& summary_json);

// Returns every file below `folder`, by relative name.
std::vector<std::string> files_below(const std::filesystem::path& folder);

// A folder that exists as long as this object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace orrery::core::test
