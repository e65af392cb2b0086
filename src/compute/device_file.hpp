// Device files: YAML, as in share/orrery/devices. docs/inputs/devices.md has the keys.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"
#include "base/input/keys.hpp"
#include "compute/device.hpp"

namespace orrery::core {

// `file` is the name of the text in errors. Throws InputError for unknown keys, bad values and missing facts.
Device read_device_file(std::string_view text, const std::string& file);

// Returns a device that comes with the program, such as "a100", or reads one from a file. A text that has a
// "/" or ends in ".yaml" or ".yml" names a file. Throws InputError at `where` when there is no such device.
Device find_device(const std::string& name_or_file, const SourceLocation& where, const FileLoader& load);

// Returns all keys of a device. `node` is the name of a device, a file, or a map whose `base` is a name or
// file and whose other keys change that device. Paths of files are relative to `folder`. Throws InputError.
InputNode device_map(const InputNode& node, const std::filesystem::path& folder, const FileLoader& load);
// Reads a map that device_map() returned. Throws InputError.
Device read_device(const InputNode& map);

// Names of the devices that come with the program.
std::vector<std::string_view> device_names();

// Every key of a device file as a path, such as "memory.bandwidth".
std::vector<KeyPath> device_file_keys();

}  // namespace orrery::core
