#include "topology/graph/measures/graph_search.hpp"

#include <queue>
#include <utility>

namespace orrery::core {

GraphSearch::GraphSearch(const NetworkGraph& graph, Weight weight) : graph_(graph), weight_(weight) {
  for (const LinkId link : graph.all_links()) {
    const LinkId back = graph.reverse(link);
    const std::int64_t own = weight_of(graph.link(link));
    if (back == LinkId::none || weight_of(graph.link(back)) != own) symmetric_ = false;
    if (own != weight_of(graph.link(LinkId(0)))) uniform_ = false;
  }
}

double GraphSearch::cost() const {
  constexpr double heap = 8;  // against a queue
  return static_cast<double>(graph_.links() + graph_.nodes()) * (uniform_ ? 1 : heap);
}

const std::vector<std::int64_t>& GraphSearch::distances(NodeId node, Direction direction) {
  distances_.assign(graph_.nodes(), infinite_distance);
  distances_[node.index()] = 0;
  uniform_ ? search_by_queue(node, direction) : search_by_heap(node, direction);
  return distances_;
}

template <class Visit>
void GraphSearch::for_neighbours(NodeId at, NodeId start, Direction direction, Visit visit) const {
  if (at != start && !graph_.node(at).forwards) return;
  const bool from = direction == Direction::from;
  for (const LinkId id : from ? graph_.links_from(at) : graph_.links_to(at)) {
    const NetworkLink& link = graph_.link(id);
    visit(from ? link.to : link.from, link);
  }
}

void GraphSearch::search_by_queue(NodeId node, Direction direction) {
  queue_.assign(1, node);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const NodeId at = queue_[next];
    for_neighbours(at, node, direction, [&](NodeId neighbour, const NetworkLink& link) {
      if (distances_[neighbour.index()] != infinite_distance) return;
      distances_[neighbour.index()] = distances_[at.index()] + weight_of(link);
      queue_.push_back(neighbour);
    });
  }
}

void GraphSearch::search_by_heap(NodeId node, Direction direction) {
  using Entry = std::pair<std::int64_t, NodeId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  heap.emplace(0, node);
  while (!heap.empty()) {
    const auto [distance, at] = heap.top();
    heap.pop();
    if (distance > distances_[at.index()]) continue;
    const NodeId settled = at;
    const std::int64_t so_far = distance;
    for_neighbours(settled, node, direction, [&](NodeId neighbour, const NetworkLink& link) {
      const std::int64_t through = so_far + weight_of(link);
      if (through >= distances_[neighbour.index()]) return;
      distances_[neighbour.index()] = through;
      heap.emplace(through, neighbour);
    });
  }
}

}  // namespace orrery::core
