// The memory of a device that a framework takes besides parameters, as a data file says it
// (docs/inputs/memory.md, "Memory files").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/diagnostics.hpp"
#include "base/keys.hpp"

namespace orrery {

// A number per class of tensors: elements of one sample, or copies that are kept of each element.
struct ActivationClasses {
  double input = 0;     // of the network
  double products = 0;  // outputs of convolutions, fully connected layers and other products; LRN, dropout
  double pooling = 0;   // outputs of pooling
  double concatenation = 0;  // outputs of concatenations
  double in_place = 0;       // outputs of norms, activation functions and additions

  bool operator==(const ActivationClasses&) const = default;
};

struct MemoryProfile {
  std::string name;
  Bytes context;    // taken before training begins
  Bytes workspace;  // taken by training besides parameters and activations
  // The optimizer runs on the first device of a machine, which holds weights, summed gradients and its state
  // in addition; else on every device.
  bool store_on_first = false;
  ActivationClasses copies;
};

// Throws InputError.
MemoryProfile read_memory_profile(std::string_view text, const std::string& file);

// Every key of memory files, those below `copies` included.
std::vector<KeyPath> memory_file_keys();

// The profile that is used when nothing is known of the framework.
inline constexpr const char* usual_memory_profile = "generic";

// The profiles that come with the program, and one of them by its word or the path of a memory file: whatever
// has a "/" or ends in ".yaml". `where` is that of the word.
std::vector<std::string_view> memory_profile_words();
MemoryProfile find_memory_profile(const std::string& word_or_path, const SourceLocation& where);

}  // namespace orrery
