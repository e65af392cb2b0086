// NPUs with the same neighbours are equally far from all others, and so are those that a shift leads to one
// another, as on a ring. One search serves them all. If weights
// are the same both ways, a node p that forwards bounds the distances of any NPU s to others: by d(s, p) and
// the distance from p to the farthest NPU. So in a tree only few NPUs need a search.
#include "topology/graph/measures/diameter.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "topology/graph/measures/shifts.hpp"

namespace orrery::core {
namespace {

constexpr double max_visits = 1e9;
constexpr int max_pivots = 16;

// Returns an NPU of each set of those that have the same place, or the same neighbours and forward nothing.
std::vector<NodeId> npus_that_differ(const NetworkGraph& graph) {
  using End = std::pair<NodeId, std::int64_t>;
  std::map<std::vector<End>, NodeId> known;
  std::vector<NodeId> npus;
  const std::vector<NodeId> places = places_by_shifts(graph);
  for (const NodeId npu : graph.all_npus()) {
    if (places[npu.index()] != npu) continue;
    std::vector<End> ends;
    for (const LinkId id : graph.links_from(npu))
      ends.emplace_back(graph.link(id).to, graph.link(id).latency.ps());
    ends.emplace_back(npu, -1);
    for (const LinkId id : graph.links_to(npu))
      ends.emplace_back(graph.link(id).from, graph.link(id).latency.ps());
    ends[graph.links_from(npu).size()].first = NodeId(0);
    if (graph.node(npu).forwards || known.emplace(std::move(ends), npu).second) npus.push_back(npu);
  }
  return npus;
}

class DiameterSearch {
 public:
  DiameterSearch(const NetworkGraph& graph, Weight weight)
      : graph_(graph),
        search_(graph, weight),
        npus_(npus_that_differ(graph)),
        farthest_at_most_(npus_.size(), infinite_distance),
        farthest_at_least_(graph.nodes(), 0) {}

  Diameter find() {
    double visits = 0;
    for (int searches = 0;; ++searches) {
      const std::size_t next = next_npu();
      found_.at_most = std::max(found_.at_least, farthest_at_most_[next]);
      if (found_.at_most == found_.at_least || visits > max_visits) return found_;
      search_from(next);
      if (search_.is_symmetric() && searches > 0 && searches <= max_pivots) bound_by_pivot(npus_[next]);
      visits += search_.cost();
    }
  }

 private:
  std::int64_t farthest_npu(const std::vector<std::int64_t>& distances) const {
    return *std::max_element(distances.begin(),
                             distances.begin() + static_cast<std::ptrdiff_t>(graph_.npus()));
  }

  // Returns the NPU that may be farthest from others. Among several, returns the one farthest from the NPU of
  // the last search.
  std::size_t next_npu() const {
    std::size_t best = 0;
    const auto rank = [&](std::size_t i) {
      return std::pair(farthest_at_most_[i], from_last_.empty() ? 0 : from_last_[npus_[i].index()]);
    };
    for (std::size_t i = 1; i < npus_.size(); ++i)
      if (rank(i) > rank(best)) best = i;
    return best;
  }

  void search_from(std::size_t index) {
    from_last_ = search_.distances(npus_[index]);
    const std::int64_t farthest = farthest_npu(from_last_);
    if (farthest > found_.at_least) {
      found_.at_least = farthest;
      found_.from = npus_[index];
      found_.to = NodeId(std::ranges::find(from_last_, farthest) - from_last_.begin());
    }
    farthest_at_most_[index] = 0;
    for (const NodeId node : graph_.all_nodes())
      farthest_at_least_[node.index()] = std::max(farthest_at_least_[node.index()], from_last_[node.index()]);
  }

  // Bounds all NPUs by the node that promises the lowest bound for the NPU of the last search.
  void bound_by_pivot(NodeId last) {
    using Promise = std::pair<std::int64_t, std::int64_t>;  // the bound, then how far the node is from NPUs
    NodeId pivot = last;
    Promise least{infinite_distance, 0};
    for (const NodeId node : graph_.all_nodes()) {
      if (!graph_.node(node).forwards || farthest_at_least_[node.index()] == infinite_distance) continue;
      const Promise promise{farthest_at_least_[node.index()] + from_last_[node.index()],
                            farthest_at_least_[node.index()]};
      if (promise >= least) continue;
      least = promise;
      pivot = node;
    }
    if (least.first == infinite_distance) return;
    const std::vector<std::int64_t>& distances = search_.distances(pivot);
    const std::int64_t farthest = farthest_npu(distances);
    farthest_at_least_[pivot.index()] = farthest;
    if (farthest == infinite_distance) return;
    for (std::size_t i = 0; i < npus_.size(); ++i)
      farthest_at_most_[i] = std::min(farthest_at_most_[i], distances[npus_[i].index()] + farthest);
  }

  const NetworkGraph& graph_;
  GraphSearch search_;
  std::vector<NodeId> npus_;
  std::vector<std::int64_t> farthest_at_most_;   // by place in npus_
  std::vector<std::int64_t> farthest_at_least_;  // by node, for those that forward
  std::vector<std::int64_t> from_last_;          // by node, from the NPU of the last search
  Diameter found_;
};

}  // namespace

Diameter find_diameter(const NetworkGraph& graph, Weight weight) {
  return DiameterSearch(graph, weight).find();
}

}  // namespace orrery::core
