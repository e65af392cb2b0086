// The links of a graph, as folding looks at them.
#pragma once

#include "network/folding/link_colours.hpp"
#include "network/graph/graph_ways.hpp"

namespace orrery {

class GraphLinks final : public RoutedLinks {
 public:
  // Keeps a reference to the topology, which has a graph.
  explicit GraphLinks(const Topology& topology) : ways_(topology) {}

  std::uint64_t links() const override { return ways_.graph().links(); }
  double bytes_per_ns(LinkId link) const override { return ways_.bytes_per_ns(link); }
  FoldedWays::Links describe(LinkId link) const override {
    const NetworkLink& described = ways_.graph().link(link);
    return {ways_.graph().node(described.from).name, ways_.graph().node(described.to).name,
            ways_.dimension_of(link), 1, bytes_per_ns(link)};
  }
  const Route& route(int source, int destination) override { return way(source, destination).route; }
  double most(int source, int destination) override { return way(source, destination).bytes_per_ns; }

 private:
  const GraphWays::Way& way(int source, int destination) {
    return ways_[ways_.between(source, destination, {})];
  }

  GraphWays ways_;
};

}  // namespace orrery
