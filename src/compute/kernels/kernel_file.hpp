// Finds the files of kernels that come with the program.
#pragma once

#include <string_view>
#include <vector>

#include "base/input/keys.hpp"

namespace orrery::core {

// Files of one kind of kernels.
struct KernelFiles {
  std::string_view folder;  // below share/orrery, such as "attention"
  std::string_view what;    // such as "implementation of attention"
};

// Returns the keys of kernels. `node` is the word for a file of that folder, or a map of keys, which may have
// such a word as its `base`. Throws InputError where there is no file of that word.
InputNode kernel_map(const InputNode& node, std::string_view key, const KernelFiles& files);

// The key `base` of such a map.
inline constexpr KeyFacts kernel_base_key{
    .name = "base",
    .fallback = "none",
    .meaning = "word whose values count for all keys that are not given",
    .value = "such a word"};

}  // namespace orrery::core
