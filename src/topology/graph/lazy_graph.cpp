#include "topology/graph/lazy_graph.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "topology/graph/network_product.hpp"
#include "topology/graph/routing/found_routes.hpp"

namespace orrery::core {

struct LazyGraph::Graph {
  Make make;
  std::once_flag once;
  std::shared_ptr<const NetworkGraph> made;
  std::optional<NetworkProduct> product;
  std::mutex mutex;  // of the map
  std::map<std::pair<const RoutingKind*, std::uint64_t>, std::shared_ptr<FoundRoutes>> routes;
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

std::shared_ptr<FoundRoutes> LazyGraph::found_routes(const RoutingKind& routing, std::uint64_t seed) const {
  const std::lock_guard lock(graph_->mutex);
  const auto [found, is_first] = graph_->routes.try_emplace({&routing, seed});
  if (!is_first && !found->second) found->second = std::make_shared<FoundRoutes>();
  return found->second;
}

}  // namespace orrery::core
