// Finds outputs of a command that would replace one of its inputs, or one another.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/input_log.hpp"

namespace orrery::core {

// The name that stands for standard output where a file may be named.
inline constexpr const char* standard_output = "-";

// The files that a command is going to write. Files are the same whatever they are called: links, relative
// paths and names in different folders lead to one file.
class OutputFiles {
 public:
  // Adds a file that the user names at `where`, such as the flag `--links`; no name is no file. Throws
  // InputError where the file cannot be written, or another output has the same name.
  void add_named(const SourceLocation& where, const std::string& path);
  // Adds a file whose name follows from that of a folder, for which errors do not need a place of their own.
  void add(std::string path) { outputs_.push_back({{path}, path}); }

  // Throws InputError where an output is one of the inputs.
  void refuse_inputs(const std::vector<std::string>& inputs) const;
  void refuse_inputs(const InputLog& inputs) const;

 private:
  struct Output {
    SourceLocation where;
    std::string path;
  };

  std::vector<Output> outputs_;
  std::map<std::string, std::string> named_;  // where files were named, by the place of the file
};

}  // namespace orrery::core
