// Reads what breaks or slows down in a network, and when.
//
//   - { link: leaf0-spine1, at: 5 ms, until: 7 ms, bandwidth: 50% }   # one direction: leaf0->spine1
//   - { node: spine3, at: 1 ms }
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "topology/graph/changes/link_changes.hpp"

namespace orrery::core {

// Reads a list of entries, or a map that is the only entry. Throws InputError.
LinkChanges read_failures(const InputNode& entries, const NetworkGraph& graph);
LinkChanges read_failure_file(std::string_view text, const std::string& file, const NetworkGraph& graph);

// Returns the keys that may stand below `failures`: ".link", "[].link" and so on.
std::vector<KeyPath> failure_keys();

inline constexpr LinkChangeKind failure_kind{
    .key = {.name = "failures",
            .fallback = "none",
            .meaning = "[links and nodes that break](#failures), on a network that is a graph",
            .below = failure_keys,
            .value = "map or list of maps"},
    .flag = "A list, in YAML, of what breaks in the network or slows down, and when",
    .read = read_failures,
    .read_file = read_failure_file};

}  // namespace orrery::core
