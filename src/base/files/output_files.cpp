#include "base/files/output_files.hpp"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "base/files/file_writer.hpp"
#include "base/files/paths.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

using Identity = std::pair<std::uint64_t, std::uint64_t>;  // device and number of a file in it

std::optional<Identity> identity_of(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return std::nullopt;
  return Identity{file.st_dev, file.st_ino};
}

// Returns a text that is the same for all names of a file. A file that does not exist yet is told by its
// folder and its name.
std::string place_of(const std::string& path) {
  if (const auto file = identity_of(path))
    return std::to_string(file->first) + ":" + std::to_string(file->second);
  std::error_code failure;
  const fs::path folder = fs::weakly_canonical(fs::path(folder_of(path)), failure);
  return ((failure ? fs::path(folder_of(path)) : folder) / fs::path(path).filename()).string();
}

}  // namespace

void OutputFiles::add_named(const SourceLocation& where, const std::string& path) {
  if (path.empty()) return;
  const bool to_file = path != standard_output;
  if (to_file) {
    if (!is_folder(folder_of(path)))
      throw InputError(
          {path},
          "cannot write file: No such file or directory, check that the folder exists and may be "
          "written to");
    has_replaceable_file(path);
    if (is_device(path)) return;  // which can take several outputs, and holds none
  }
  const auto [known, is_new] = named_.emplace(to_file ? place_of(path) : path, where.file);
  if (!is_new)
    throw InputError(where, backquoted(path) + " is also what `" + known->second +
                                "` writes to, and would hold only one of both; name another file");
  if (to_file) outputs_.push_back({where, path});
}

void OutputFiles::refuse_inputs(const std::vector<std::string>& inputs) const {
  std::map<Identity, std::string> files;
  for (const std::string& input : inputs)
    if (const auto file = identity_of(input)) files.emplace(*file, input);
  for (const Output& output : outputs_) {
    const auto file = identity_of(output.path);
    const auto input = file ? files.find(*file) : files.end();
    if (input == files.end()) continue;
    const std::string which = input->second == output.path ? "" : " by the name " + backquoted(input->second);
    throw InputError(output.where, (output.where.file == output.path ? "" : backquoted(output.path) + " ") +
                                       "is read by this command" + which +
                                       ", and would be replaced by its results; write them elsewhere");
  }
}

void OutputFiles::refuse_inputs(const InputLog& inputs) const {
  refuse_inputs(inputs.paths());
}

}  // namespace orrery::core
