// A graph that is made when somebody first looks at its nodes or links.
//
// Networks of a regular form have been described before there is a node of them, and many questions need no
// more than that; a torus of a million NPUs would take seconds to make.
#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace orrery {

class NetworkGraph;
struct ProductFactor;

class LazyGraph {
 public:
  using Make = std::function<std::shared_ptr<const NetworkGraph>()>;

  // There is none.
  LazyGraph() = default;
  LazyGraph(std::nullptr_t) {}
  // It has been made.
  LazyGraph(std::shared_ptr<const NetworkGraph> graph);
  // `make` returns the graph of the product whenever it is called, and fails at nothing.
  LazyGraph(Make make, std::vector<ProductFactor> product);

  explicit operator bool() const { return graph_ != nullptr; }
  // Returns the graph as a product (network_product.hpp); null: it is not known to be one.
  const std::vector<ProductFactor>* product() const;
  // These make the graph where that has not been done. Threads may call them at the same time.
  const NetworkGraph& operator*() const;
  const NetworkGraph* operator->() const { return &**this; }

 private:
  struct Graph;
  std::shared_ptr<Graph> graph_;  // copies share it
};

}  // namespace orrery
