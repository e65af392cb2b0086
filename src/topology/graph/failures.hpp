// Reads what breaks or slows down in a network, and when.
//
//   - { link: leaf0-spine1, at: 5 ms, until: 7 ms, bandwidth: 50% }   # one direction: leaf0->spine1
//   - { node: spine3, at: 1 ms }
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/keys.hpp"
#include "topology/graph/link_changes.hpp"

namespace orrery {

struct Topology;

// Reads a list of entries, or a map that is the only entry. Throws InputError.
LinkChanges read_failures(const InputNode& entries, const NetworkGraph& graph);
LinkChanges read_failure_file(std::string_view text, const std::string& file, const NetworkGraph& graph);

// Returns the graph without the links that are broken at a time. Nodes have the same numbers.
NetworkGraph left_at(const NetworkGraph& graph, const LinkChanges& changes, Time time);

// Returns the changes with what is known about relays: where nobody says whether NPUs pass messages on, they
// do so where failures would cut them off, as libraries do after a restart. If they never do, no NPU needs
// to.
LinkChanges with_relays_where_cut(LinkChanges changes, const Topology& topology);

// Throws InputError at the entry that from time 0 on keeps NPUs from reaching others that they could reach.
// With `relays`, NPUs pass on messages that would not arrive.
void check_whole_at_start(const NetworkGraph& graph, const LinkChanges& changes, bool relays = false);

// Warns of each entry that would begin only after a run has ended.
void warn_of_later(const LinkChanges& changes, Time end, Warnings& warnings);

// Returns the keys that may stand below `failures`: ".link", "[].link" and so on.
std::vector<KeyPath> failure_keys();

}  // namespace orrery
