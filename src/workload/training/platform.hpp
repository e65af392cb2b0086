// Machines that transformers are trained on: devices in nodes, links inside and between, and what collectives
// cost there; and the software on top. Data files (docs/inputs/transformers.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/keys.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery {

struct Platform {
  std::string source;
  ComputingDevice device;
  CollectiveLibrary library;
  SoftwareStack stack;
};

// A platform that comes with the program ("dgx-a100"), the path of a platform file, or a map of the keys of
// one. Paths are relative to `folder`, those in a file to that of the file. Throws InputError.
Platform read_platform(const InputNode& node, const std::filesystem::path& folder = {});

// Returns the keys of such a platform, with those of the device, the links and the stack in place of the
// words that name them. Throws InputError.
InputNode written_out_platform(const InputNode& node, const std::filesystem::path& folder = {});

// Reads a software stack, which may be over one that comes with the program or another file. Throws
// InputError.
SoftwareStack read_stack_file(std::string_view text, const std::string& file);

std::vector<std::string_view> platform_words();
std::vector<KeyPath> platform_file_keys();  // ".device" and so on
std::vector<KeyPath> stack_file_keys();

}  // namespace orrery
