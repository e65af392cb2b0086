#include "topology/graph/lazy_graph.hpp"

#include <mutex>
#include <optional>
#include <utility>

#include "topology/graph/network_product.hpp"

namespace orrery::core {

struct LazyGraph::Graph {
  Make make;
  std::once_flag once;
  std::shared_ptr<const NetworkGraph> made;
  std::optional<NetworkProduct> product;
};

LazyGraph::LazyGraph(std::shared_ptr<const NetworkGraph> graph) {
  if (!graph) return;
  graph_ = std::make_shared<Graph>();
  graph_->make = [graph = std::move(graph)] { return graph; };
}

LazyGraph::LazyGraph(Make make, NetworkProduct product) : graph_(std::make_shared<Graph>()) {
  graph_->make = std::move(make);
  graph_->product = std::move(product);
}

const NetworkProduct* LazyGraph::product() const {
  return graph_ && graph_->product ? &*graph_->product : nullptr;
}

const NetworkGraph& LazyGraph::operator*() const {
  std::call_once(graph_->once, [this] { graph_->made = graph_->make(); });
  return *graph_->made;
}

}  // namespace orrery::core
