// When links of a graph break, slow down and come back.
#pragma once

#include <vector>

#include "base/diagnostics.hpp"
#include "base/time.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery {

struct LinkChange {
  Time at;
  LinkId link = 0;
  double share = 1;      // of its bandwidth that the link has from then on; 0: it is broken
  SourceLocation where;  // of the entry that brings it about
};

struct LinkChanges {
  std::vector<LinkChange> list;  // by time, and then by link
};

}  // namespace orrery
