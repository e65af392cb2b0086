#include "topology/graph/relays/relaying.hpp"

#include "topology/graph/changes/link_changes.hpp"
#include "topology/graph/routing/routing_kind.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

Relaying relaying_of(const Topology& topology) {
  if (topology.link_changes && topology.link_changes->relaying) return *topology.link_changes->relaying;
  return topology.routing && topology.routing->relays ? Relaying::where_cut : Relaying::never;
}

}  // namespace orrery::core
