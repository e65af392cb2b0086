// The memory of a device that a framework takes besides parameters, as a data file states it
// (docs/inputs/memory.md, "Memory files").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"
#include "base/input/keys.hpp"
#include "base/units/bytes.hpp"

namespace orrery::core {

// A number per class of tensors: elements of one sample, or copies that are kept of each element.
struct ActivationClasses {
  double input = 0;     // inputs of the network
  double products = 0;  // outputs of convolutions, fully connected layers and other products; LRN, dropout
  double pooling = 0;   // outputs of pooling
  double concatenation = 0;  // outputs of concatenations
  double in_place = 0;       // outputs of norms, activation functions and additions

  bool operator==(const ActivationClasses&) const = default;
};

struct MemoryProfile {
  std::string name;
  Bytes context;    // memory that is taken before training begins
  Bytes workspace;  // memory that training takes besides parameters and activations
  // If true, the optimizer runs on the first device of a machine, which holds weights, summed gradients and
  // the optimizer's state in addition. Otherwise it runs on every device.
  bool store_on_first = false;
  ActivationClasses copies;
};

// Throws InputError.
MemoryProfile read_memory_profile(std::string_view text, const std::string& file);

// Returns every key of memory files, including those below `copies`.
std::vector<KeyPath> memory_file_keys();

// The profile that is used when nothing is known about the framework.
inline constexpr const char* usual_memory_profile = "generic";

// Return the profiles that come with the program, and one profile by its word or the path of a memory file,
// which is any name that has a "/" or ends in ".yaml". `where` is the place of the word.
std::vector<std::string_view> memory_profile_words();
MemoryProfile find_memory_profile(const std::string& word_or_path, const SourceLocation& where,
                                  const FileLoader& load);

}  // namespace orrery::core
