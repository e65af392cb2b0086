// A graph that is made when somebody first looks at its nodes or links.
//
// A network of a regular form is described before there is a node of it, and many questions need nothing
// else. A torus of a million NPUs would take seconds to make.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace orrery::core {

class FoundRoutes;
class NetworkGraph;
struct ProductFactor;
struct RoutingKind;

class LazyGraph {
 public:
  using Make = std::function<std::shared_ptr<const NetworkGraph>()>;

  // Makes an object without a graph.
  LazyGraph() = default;
  LazyGraph(std::nullptr_t) {}
  // Makes an object with a graph that exists already.
  LazyGraph(std::shared_ptr<const NetworkGraph> graph);
  // Makes an object whose graph is not made yet. `make` returns the graph of the product whenever it is
  // called, and never fails.
  LazyGraph(Make make, std::vector<ProductFactor> product);

  explicit operator bool() const { return graph_ != nullptr; }
  // Returns the graph as a product (network_product.hpp). Null: it is not known to be one.
  const std::vector<ProductFactor>* product() const;
  // The following functions make the graph if that has not been done. Threads may call them at the same time.
  const NetworkGraph& operator*() const;
  const NetworkGraph* operator->() const { return &**this; }
  // Returns where simulations of this graph keep the routes of a routing and a seed for one another
  // (found_routes.hpp). Null: this is the first to ask, and nobody may ever come who needs its routes again.
  std::shared_ptr<FoundRoutes> found_routes(const RoutingKind& routing, std::uint64_t seed) const;

 private:
  struct Graph;
  std::shared_ptr<Graph> graph_;  // copies share it
};

}  // namespace orrery::core
