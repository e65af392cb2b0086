// Says what a path leads to.
#pragma once

#include <string>

namespace orrery::core {

// These return whether there is anything, a regular file or a folder of this name, behind symbolic links too.
// They throw an InputError that names `path` when the file system cannot say, as in a loop of links or for a
// name that is too long.
bool is_there(const std::string& path);
bool is_file(const std::string& path);
bool is_folder(const std::string& path);
// Returns the last part of a folder's path as the file system has it, without a slash at its end.
std::string name_of_folder(const std::string& path);

}  // namespace orrery::core
