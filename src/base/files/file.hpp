// Reads and writes whole files.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

// Reads a file of at most 1 GiB, whatever it is. That is for what is no input: what a user names is read by a
// FileLoader or an InputLog. Throws an InputError that names `path` when the file cannot be read.
std::string read_file_of_any_kind(const std::string& path);

// Hands the bytes of a file of any size and kind to `take`, piece by piece. Throws as above when the file
// cannot be read.
void read_in_pieces(const std::string& path, const std::function<void(std::string_view piece)>& take);

// Returns whether there is a file or folder of this name. One that may not be looked at counts as missing.
bool file_exists(const std::string& path);

// Returns the folder in which files lie whose names begin with `prefix`. The prefix ends in a slash, or its
// last part is the beginning of the files' names.
std::string folder_of(const std::string& prefix);
// Throws InputError at `where` when that folder does not exist.
void require_folder_of(const std::string& prefix, const SourceLocation& where);

// Writes beside `path`, then renames, so that readers see the old content or the new one, never a part. A
// file that already holds `content` only gets a new time. Throws an InputError that names `path` when its
// folder is missing or not writable, and then leaves nothing behind.
void write_file_atomically(const std::string& path, std::string_view content);

}  // namespace orrery::core
