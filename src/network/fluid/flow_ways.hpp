// The ways of messages through a graph, as flows share them.
#pragma once

#include <cstdint>
#include <vector>

#include "network/fluid/flow_loop.hpp"
#include "network/graph/graph_ways.hpp"

namespace orrery {

class FlowWays {
 public:
  // Keeps references.
  FlowWays(const GraphWays& ways, FlowLoop& flows);

  // Adds a way of flows over the links of one of the graph, and returns its number among the flows.
  std::uint32_t add(std::uint32_t way, FlowProgress::Order order);
  // Returns the one that all share which go there.
  std::uint32_t shared(std::uint32_t way);
  // The bandwidth of a link is another one than before.
  void update(LinkId link);

 private:
  const GraphWays& ways_;
  FlowLoop& flows_;
  std::vector<std::uint32_t> resource_of_link_;  // by link; none until a way uses it
  std::vector<std::uint32_t> shared_ways_;       // by way; none until messages share it
};

}  // namespace orrery
