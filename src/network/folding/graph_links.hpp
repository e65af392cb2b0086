// The links of a graph, as folding looks at them.
#pragma once

#include "network/folding/link_symmetry.hpp"
#include "network/graph/graph_routes.hpp"

namespace orrery {

class GraphLinks final : public RoutedLinks {
 public:
  // Keeps a reference to the topology, which has a graph.
  explicit GraphLinks(const Topology& topology) : routes_(topology) {}

  std::uint64_t links() const override { return routes_.graph().links(); }
  double bytes_per_ns(LinkId link) const override { return routes_.bytes_per_ns(link); }
  SymmetricRoutes::Links describe(LinkId link) const override {
    const NetworkLink& described = routes_.graph().link(link);
    return {routes_.graph().node(described.from).name, routes_.graph().node(described.to).name,
            routes_.dimension_of(link), 1, bytes_per_ns(link)};
  }
  const Route& route(int source, int destination) override { return known_route(source, destination).route; }
  double most(int source, int destination) override { return known_route(source, destination).bytes_per_ns; }

 private:
  const GraphRoutes::KnownRoute& known_route(int source, int destination) {
    return routes_[routes_.between(source, destination, {})];
  }

  GraphRoutes routes_;
};

}  // namespace orrery
