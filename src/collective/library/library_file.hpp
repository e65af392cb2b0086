// Reads library files: YAML, as in share/orrery/libraries. docs/inputs/systems.md has the keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"
#include "base/input/keys.hpp"
#include "collective/library/library_constants.hpp"

namespace orrery::core {

// `file` names the text in errors. Throws InputError for unknown keys, bad values and missing facts.
LibraryConstants read_library_file(std::string_view text, const std::string& file);

// Does the same as find_collective_library() (collective_library.hpp), but for all classes of links.
LibraryConstants find_library_constants(const std::string& name_or_file, const SourceLocation& where,
                                        const FileLoader& load);

// Gives `link` the facts of a map that has the keys of a class of links. The map may also have `base`, which
// is not looked at here. Throws InputError.
void change_link(const InputNode& map, InsideLink& link);
void change_link(const InputNode& map, BetweenLink& link);
// Returns the keys of such maps: ".base", ".bandwidth" and so on.
std::vector<KeyPath> inside_link_keys();
std::vector<KeyPath> between_link_keys();

// Returns the keys of a class of links. `node` names one of the library's classes, for the place "inside" or
// "between", or is a map that changes one. If it is neither, such as a bandwidth, `node` itself is returned.
InputNode link_map(const InputNode& node, const std::string& library, std::string_view place,
                   const FileLoader& load);

// Returns the names of the libraries that come with the program.
std::vector<std::string_view> collective_library_names();

// Returns every key of a library file as a path, such as "inside.<class>.efficiency".
std::vector<KeyPath> library_file_keys();

}  // namespace orrery::core
