#include "base/embedded_file.hpp"

namespace orrery {

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

}  // namespace orrery
