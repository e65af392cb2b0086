// Says when links of a graph break, slow down and come back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/input/keys.hpp"
#include "base/units/time.hpp"
#include "topology/graph/network_graph.hpp"
#include "topology/graph/relays/relaying.hpp"

namespace orrery::core {

struct Topology;

struct LinkChange {
  Time at;
  LinkId link;
  double share = 1;      // share of its bandwidth that the link has from then on; 0: it is broken
  SourceLocation where;  // place of the entry that causes it
};

struct LinkChanges {
  std::vector<LinkChange> list;  // by time, and then by link
  // Whether NPUs pass on messages, for want of links or because of them. None: the routing says it.
  std::optional<Relaying> relaying = {};
};

// A way to describe changes: a key of an experiment and a flag.
struct LinkChangeKind {
  KeyFacts key;
  std::string_view flag;  // what the flag means, which has the key's name and takes a file
  LinkChanges (*read)(const InputNode& node, const NetworkGraph& graph);
  LinkChanges (*read_file)(std::string_view text, const std::string& file, const NetworkGraph& graph);
};

// Adds more changes of the same graph.
void add_changes(LinkChanges more, LinkChanges& changes);

// Returns the graph without the links that are broken at a time. Nodes have the same numbers.
NetworkGraph left_at(const NetworkGraph& graph, const LinkChanges& changes, Time time);

// Returns the changes with what is known about relays: where nobody says whether NPUs pass messages on, they
// do so where changes would cut them off, as libraries do after a restart. If they never do, no NPU needs
// to.
LinkChanges with_relays_where_cut(LinkChanges changes, const Topology& topology);

// Throws InputError at the entry that from time 0 on keeps NPUs from reaching others that they could reach.
// With `relays`, NPUs pass on messages that would not arrive.
void check_whole_at_start(const NetworkGraph& graph, const LinkChanges& changes, bool relays = false);

// Warns of each entry that would begin only after a run has ended.
void warn_of_later(const LinkChanges& changes, Time end, Warnings& warnings);

}  // namespace orrery::core
