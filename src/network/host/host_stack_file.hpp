// Reads descriptions of what stands between messages and the network. docs/inputs/host-stacks.md has the
// keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"
#include "base/input/input_node.hpp"
#include "base/input/keys.hpp"
#include "network/host/host_stack.hpp"

namespace orrery::core {

// `node` is the word of a stack that comes with the program, the path of a file, or a map whose `base` is one
// of these and whose other keys change it. Throws InputError.
HostStack read_host_stack(const InputNode& node, const FileLoader& load);
// Returns all keys of such a stack. Throws InputError.
InputNode host_stack_map(const InputNode& node, const FileLoader& load);

// Returns the stack that a user names by a word or a path. `where` is the place of that name. Throws
// InputError.
HostStack find_host_stack(const std::string& word_or_path, const SourceLocation& where,
                          const FileLoader& load);

// Reads a whole file. Throws InputError.
HostStack read_host_stack_file(std::string_view text, const std::string& file);

// Returns the names of the stacks that come with the program.
std::vector<std::string_view> host_stack_names();

// Returns the keys of a file, and those below the key `host-stack` of an experiment.
std::vector<KeyPath> host_stack_file_keys();
std::vector<KeyPath> host_stack_keys();

}  // namespace orrery::core
