// Gives access to the data files of share/orrery and to files of users that may stand in their place. The
// build puts the data files into the program, which therefore finds them wherever it is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_loader.hpp"

namespace orrery::core {

struct EmbeddedFile {
  std::string_view name;  // below share/orrery: "devices/a100.yaml"
  std::string_view text;
};

// Returns all files in alphabetical order. The build makes this function (cmake/embed_files.cmake).
std::span<const EmbeddedFile> embedded_files();

// Returns the page that shows results, still without the results (web/). The build makes this function, too.
std::string_view embedded_page();

// Returns the page that shows a study, still without its runs (web/study/). The build makes it, too.
std::string_view embedded_study_page();

// Returns the text of a file; empty when there is no file of that name.
std::optional<std::string_view> embedded_file(std::string_view name);

// Returns "a100" for each "devices/a100.yaml" when `folder` is "devices"; files in folders below it are left
// out.
std::vector<std::string_view> embedded_names(std::string_view folder);

// Returns whether a user means a file of their own: the text has a slash, or ends in .yaml, .yml or .json.
bool is_path(std::string_view text);

// Files of one kind, such as devices.
struct Catalogue {
  std::string_view folder;  // such as "devices"
  std::string_view what;    // such as "device"
  std::string_view hint;    // ends the message that there is no file of that name
};
struct FoundFile {
  std::string text, name;  // the name is for messages
};

// Returns the file that a user names, either by the word for one that comes with the program or by the path
// of one of their own. `where` is the place of that word or path in the input. Throws InputError.
FoundFile find_file(const Catalogue& catalogue, const std::string& word_or_path, const SourceLocation& where,
                    const FileLoader& load);

}  // namespace orrery::core
