#include "study/astra2/trace_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <system_error>

#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "base/files/foreign_files.hpp"
#include "workload/chakra/files/byte_source.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

// Returns the prefixes of the sets of traces in a folder, in alphabetical order.
std::set<std::string> prefixes_in(const fs::path& folder) {
  constexpr std::string_view first = ".0.et", ending = ".et";
  std::set<std::string> sets, single;
  std::error_code unknown;
  for (fs::directory_iterator entry(folder, unknown), end; !unknown && entry != end;
       entry.increment(unknown)) {
    const std::string path = entry->path().string();
    if (path.ends_with(first))
      sets.insert(path.substr(0, path.size() - first.size()));
    else if (path.ends_with(ending))
      single.insert(path);
  }
  return sets.empty() ? single : sets;
}

std::string only_prefix_in(const std::string& folder, const SourceLocation& where) {
  const std::set<std::string> prefixes = prefixes_in(folder);
  if (prefixes.empty())
    throw InputError(where,
                     fmt::format("there are no traces in the folder {}: their files end in .et; correct "
                                 "the path",
                                 backquoted(folder)));
  if (prefixes.size() > 1)
    throw InputError(where,
                     fmt::format("there are several sets of traces in the folder {}; name one, such as "
                                 "{}",
                                 backquoted(folder), backquoted(*prefixes.begin())));
  return *prefixes.begin();
}

}  // namespace

std::string json_beside(const std::string& prefix) {
  for (const char* const ending : {".0.json", ".json"}) {
    const std::string file = prefix + ending;
    std::error_code unknown;
    if (!fs::is_regular_file(file, unknown)) continue;
    const std::string beginning = chakra::beginning_of_file(file, telling_beginning);
    if (const ForeignFile* const foreign = foreign_file_of(beginning))
      return fmt::format("there are no traces {}, but there is {}: {}", backquoted(prefix), file,
                         foreign->text());
  }
  return {};
}

std::vector<std::string> find_trace_files(const std::string& prefix_or_folder, const SourceLocation& where) {
  std::error_code unknown;
  const std::string prefix = fs::is_directory(prefix_or_folder, unknown)
                                 ? only_prefix_in(prefix_or_folder, where)
                                 : prefix_or_folder;
  std::vector<std::string> files;
  for (std::string file = prefix + ".0.et"; file_exists(file);
       file = fmt::format("{}.{}.et", prefix, files.size()))
    files.push_back(file);
  if (!files.empty()) return files;
  for (const std::string& shared : {prefix, prefix + ".et"})
    if (fs::is_regular_file(shared, unknown)) return {shared};
  if (const std::string json = json_beside(prefix); !json.empty()) throw InputError(where, json);
  throw InputError(where,
                   fmt::format("there are no traces {0}: they would be {1}.0.et and so on, or {1}.et for "
                               "all NPUs; correct the path",
                               backquoted(prefix), prefix));
}

}  // namespace orrery::core
