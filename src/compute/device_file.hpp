// Device files: YAML, as in share/orrery/devices. docs/inputs/devices.md has the keys.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.hpp"
#include "base/keys.hpp"
#include "compute/device.hpp"

namespace orrery {

// `file` names the text in errors. Throws InputError for unknown keys, bad values and missing facts.
Device read_device_file(std::string_view text, const std::string& file);

// A device that comes with the program ("a100"), or a file: whatever has a "/" or ends in ".yaml" or ".yml".
// Throws InputError at `where` when there is no such device.
Device find_device(const std::string& name_or_file, const SourceLocation& where);

// Returns all keys of a device: `node` is such a name or file, or a map that changes the one that is its
// `base`. Files are relative to `folder`. Throws InputError.
InputNode device_map(const InputNode& node, const std::filesystem::path& folder = {});
// Reads such a map. Throws InputError.
Device read_device(const InputNode& map);

// Names of the devices that come with the program.
std::vector<std::string_view> device_names();

// Every key of a device file as a path, such as "memory.bandwidth".
std::vector<KeyPath> device_file_keys();

}  // namespace orrery
