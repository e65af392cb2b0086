// The data files of share/orrery, which the build puts into the program, so that it finds them wherever it
// is.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace orrery {

struct EmbeddedFile {
  std::string_view name;  // below share/orrery: "devices/a100.yaml"
  std::string_view text;
};

// Returns all files in alphabetical order. The build makes this function (cmake/embed_files.cmake).
std::span<const EmbeddedFile> embedded_files();

// Returns the text of a file; empty when there is none of that name.
std::optional<std::string_view> embedded_file(std::string_view name);

// Returns "a100" for each "devices/a100.yaml" when `folder` is "devices"; files in folders below it are left
// out.
std::vector<std::string_view> embedded_names(std::string_view folder);

}  // namespace orrery
