// Whole files in and out.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/diagnostics.hpp"

namespace orrery {

// Throws InputError naming `path` when it cannot be read or holds more than 1 GiB.
std::string read_text_file(const std::string& path);

// Returns whether there is a file or folder of this name, as far as one may look.
bool file_exists(const std::string& path);

// Returns the folder of files whose names begin with `prefix`, which ends in a slash or is a part of their
// names.
std::string folder_of(const std::string& prefix);
// Throws InputError at `where` when that folder does not exist.
void require_folder_of(const std::string& prefix, const SourceLocation& where);

// Gives the text of a file that an input names; throws InputError when it cannot.
using FileLoader = std::function<std::string(const std::string& path)>;

// Readers see the old content or the new one, never a part: writes beside `path`, then renames. A file that
// holds `content` already only gets a new time. Throws InputError naming `path` when its folder is missing or
// not writable; leaves nothing behind then.
void write_file_atomically(const std::string& path, std::string_view content);

}  // namespace orrery
