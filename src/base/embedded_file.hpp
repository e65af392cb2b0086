// The data files of share/orrery, which the build puts into the program, so that it finds them wherever it
// is, and files of users that may stand in their place.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.hpp"

namespace orrery {

struct EmbeddedFile {
  std::string_view name;  // below share/orrery: "devices/a100.yaml"
  std::string_view text;
};

// Returns all files in alphabetical order. The build makes this function (cmake/embed_files.cmake).
std::span<const EmbeddedFile> embedded_files();

// Returns the page about results, which lacks the results (web/). The build makes this function, too.
std::string_view embedded_page();

// Returns the text of a file; empty when there is none of that name.
std::optional<std::string_view> embedded_file(std::string_view name);

// Returns "a100" for each "devices/a100.yaml" when `folder` is "devices"; files in folders below it are left
// out.
std::vector<std::string_view> embedded_names(std::string_view folder);

// Returns whether a user means a file of his own: the text has a slash, or ends in .yaml, .yml or .json.
bool is_path(std::string_view text);

// Files of one kind, such as devices.
struct Catalogue {
  std::string_view folder;  // "devices"
  std::string_view what;    // "device"
  std::string_view hint;    // ends the message that there is none of that name
};
struct FoundFile {
  std::string text, name;  // the latter for messages
};

// Returns what a user names by the word of a file that comes with the program, or by the path of one of his
// own; `where` is where he does. Throws InputError.
FoundFile find_file(const Catalogue& catalogue, const std::string& word_or_path, const SourceLocation& where,
                    const FileLoader& load = read_text_file);

}  // namespace orrery
