#include "base/files/embedded_file.hpp"

#include <fmt/format.h>

#include "base/diagnostics/nearest_names.hpp"

namespace orrery::core {

std::optional<std::string_view> embedded_file(std::string_view name) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.name == name) return file.text;
  return std::nullopt;
}

std::vector<std::string_view> embedded_names(std::string_view folder) {
  constexpr std::string_view ending = ".yaml";
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : embedded_files()) {
    std::string_view name = file.name;
    if (!name.starts_with(folder) || name.substr(folder.size(), 1) != "/") continue;
    name.remove_prefix(folder.size() + 1);
    if (name.find('/') != std::string_view::npos) continue;
    name.remove_suffix(ending.size());
    names.push_back(name);
  }
  return names;
}

bool is_path(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.ends_with(".yaml") || text.ends_with(".yml") ||
         text.ends_with(".json");
}

namespace {

std::string load_named(const Catalogue& catalogue, const std::string& path, const SourceLocation& where,
                       const FileLoader& load) {
  try {
    return load(path);
  } catch (const InputError& error) {
    const std::string_view ending = catalogue.what.ends_with("file") ? "" : " file";
    throw InputError(where,
                     fmt::format("no {}{} that can be read: {}", catalogue.what, ending, error.what()));
  }
}

}  // namespace

FoundFile find_file(const Catalogue& catalogue, const std::string& word_or_path, const SourceLocation& where,
                    const FileLoader& load) {
  if (is_path(word_or_path)) return {load_named(catalogue, word_or_path, where, load), word_or_path};
  std::string name = std::string(catalogue.folder) + "/" + word_or_path + ".yaml";
  if (const auto text = embedded_file(name)) return {std::string(*text), std::move(name)};
  const auto words = embedded_names(catalogue.folder);
  throw InputError(where, none_of_name(catalogue.what, word_or_path, words) + std::string(catalogue.hint));
}

}  // namespace orrery::core
