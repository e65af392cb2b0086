// Says when links of a graph break, slow down and come back.
#pragma once

#include <optional>
#include <vector>

#include "base/diagnostics.hpp"
#include "base/time.hpp"
#include "topology/graph/network_graph.hpp"
#include "topology/graph/relaying.hpp"

namespace orrery {

struct LinkChange {
  Time at;
  LinkId link = 0;
  double share = 1;      // share of its bandwidth that the link has from then on; 0: it is broken
  SourceLocation where;  // place of the entry that causes it
};

struct LinkChanges {
  std::vector<LinkChange> list;  // by time, and then by link
  // Whether NPUs pass on messages, for want of links or because of them. None: the routing says it.
  std::optional<Relaying> relaying = {};
};

}  // namespace orrery
