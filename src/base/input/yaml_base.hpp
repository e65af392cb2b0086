// Reads maps that are written as changes to others: { base: NAME, key: value }.
#pragma once

#include "base/input/input_node.hpp"

namespace orrery::core {

// Says what happens where a map has a word for a key that has a single value in `below`. The word may replace
// that value, or it may be a base over which the map is written: a platform may have
// `inside: { bandwidth: 25 GB/s }` over `inside: ib-ndr`.
enum class OverWord { replaces_it, has_it_as_base };

// Returns the keys of a map without its `base`, and those keys of `below` that the map lacks. If a value is
// itself a map without a `base` of its own, it is laid over the value of that key in `below` in the same way.
InputNode over_base(const InputNode& node, const InputNode& below, OverWord over_word);

}  // namespace orrery::core
