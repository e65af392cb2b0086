// Machines that transformers are trained on: devices in nodes, links inside and between them, what
// collectives cost there, and the software. They are described by data files (docs/inputs/transformers.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/input/keys.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

struct Platform {
  std::string source;
  ComputingDevice device;
  std::optional<CollectiveLibrary> library;  // none: the platform describes no links
  SoftwareStack stack;
  bool stack_is_named = false;                       // else it is the usual one
  std::shared_ptr<const ContendedDevice> contended;  // beside collectives over these links
};

// Which links the runs on a platform have: those that the platform describes, or those of a network.
enum class LinksOf { platform, network };

// Runs on a platform train or infer. Where nobody names the software, training has the stack `generic`, and
// inference has `none`, as stacks are fitted to training. Keys of a stack without a base change these.
enum class Purpose { training, inference };

struct PlatformUse {
  LinksOf links = LinksOf::platform;
  Purpose purpose = Purpose::training;
};

// Reads a platform. `node` is the name of one that comes with the program ("dgx-a100"), the path of a
// platform file, or a map of the keys of one. Paths are relative to `folder`, and those in a file to the
// file's folder. Beside a network a platform may do without links. Throws InputError.
Platform read_platform(const InputNode& node, const std::filesystem::path& folder, const FileLoader& load,
                       PlatformUse use = {});

// Returns the keys of such a platform, with the keys of the device, the links and the stack in place of the
// words that name them, or of the usual stack. Throws InputError.
InputNode written_out_platform(const InputNode& node, const std::filesystem::path& folder,
                               const FileLoader& load, Purpose purpose = Purpose::training);

// Returns the stack of training on such a platform as it is written, or as its base has it: a word, a path
// from the folder in which the program runs, or a map of keys with its base. Where the platform names none it
// is the word of the usual one. Throws InputError.
InputNode stack_of_platform(const InputNode& node, const std::filesystem::path& folder,
                            const FileLoader& load);

// Reads a software stack, which may be over one that comes with the program or another file. Throws
// InputError.
SoftwareStack read_stack_file(std::string_view text, const std::string& file, const FileLoader& load);

// Requires one of stack_words().
SoftwareStack stack_named(std::string_view name);

std::vector<std::string_view> platform_words();
std::vector<std::string_view> stack_words();
std::vector<KeyPath> platform_file_keys();  // ".device" and so on
std::vector<KeyPath> stack_file_keys();

}  // namespace orrery::core
