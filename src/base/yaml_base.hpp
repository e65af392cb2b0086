// Maps that are written as changes to others: { base: NAME, key: value }.
#pragma once

#include "base/input_node.hpp"

namespace orrery {

// What a map changes where `below` has a single value: the word may be a base that the map is written over,
// as in a platform's `inside: { bandwidth: 25 GB/s }` over `inside: ib-ndr`.
enum class OverWord { replaces_it, has_it_as_base };

// Returns the keys of a map without its `base`, and those of `below` that it lacks. A map in it without a
// `base` of its own is in the same way over what `below` has for that key.
InputNode over_base(const InputNode& node, const InputNode& below, OverWord over_word);

}  // namespace orrery
