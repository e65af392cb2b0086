#include "topology/graph/measures/reachability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "topology/graph/measures/graph_search.hpp"

namespace orrery::core {
namespace {

std::vector<NodeId> npus_beyond(const NetworkGraph& graph, const std::vector<std::int64_t>& distances) {
  std::vector<NodeId> npus;
  for (const NodeId npu : graph.all_npus())
    if (distances[npu.index()] == infinite_distance) npus.push_back(npu);
  return npus;
}

// The NPUs that reach a given node that forwards, and that this node reaches. So these NPUs reach each other.
class Connected {
 public:
  explicit Connected(const NetworkGraph& graph) : graph_(graph), search_(graph, Weight::hops) {
    NodeId outside;
    for (int tries = 0; tries < max_tries && graph.is_npu(outside); ++tries) {
      for (const LinkId link : graph.links_from(outside)) try_hub(graph.link(link).to);
      const auto next = std::find(among_.begin() + outside.value() + 1, among_.end(), false);
      outside = NodeId(next - among_.begin());
    }
  }

  const std::vector<bool>& among() const { return among_; }

 private:
  static constexpr int max_tries = 8;

  void try_hub(NodeId hub) {
    if (!graph_.node(hub).forwards || !tried_.insert(hub).second || count_ == graph_.npus()) return;
    std::vector<bool> among(graph_.npus(), true);
    std::size_t count = graph_.npus();
    for (const Direction direction : {Direction::from, Direction::toward})
      for (const NodeId npu : npus_beyond(graph_, search_.distances(hub, direction))) {
        count -= among[npu.index()] ? 1 : 0;
        among[npu.index()] = false;
      }
    if (count <= count_) return;
    count_ = count;
    among_ = std::move(among);
  }

  const NetworkGraph& graph_;
  GraphSearch search_;
  std::set<NodeId> tried_;
  std::size_t count_ = 0;
  std::vector<bool> among_ = std::vector<bool>(graph_.npus());
};

}  // namespace

std::vector<NetworkCut> find_cuts(const NetworkGraph& graph, std::size_t most) {
  const Connected connected(graph);
  GraphSearch search(graph, Weight::hops);
  std::map<NodeId, std::vector<NodeId>> lacking;  // what an NPU does not reach
  for (NodeId npu; graph.is_npu(npu) && lacking.size() < most; ++npu) {
    if (connected.among()[npu.index()]) continue;
    for (const NodeId other : npus_beyond(graph, search.distances(npu, Direction::toward)))
      if (connected.among()[other.index()]) lacking[other].push_back(npu);
    std::vector<NodeId> others = npus_beyond(graph, search.distances(npu));
    if (!others.empty()) lacking[npu] = std::move(others);
  }
  std::map<std::vector<NodeId>, std::vector<NodeId>> from_by_to;
  for (auto& [npu, others] : lacking) from_by_to[std::move(others)].push_back(npu);
  std::vector<NetworkCut> cuts;
  for (const auto& [to, from] : from_by_to) cuts.push_back({from, to});
  std::ranges::sort(cuts, {}, &NetworkCut::from);
  return cuts;
}

std::string names_of_nodes(const NetworkGraph& graph, const std::vector<NodeId>& nodes) {
  constexpr std::size_t max_runs = 4;
  std::string names;
  std::size_t run = 0;
  for (std::size_t first = 0; first < nodes.size(); ++run) {
    std::size_t end = first + 1;
    while (end < nodes.size() && nodes[end].value() == nodes[end - 1].value() + 1) ++end;
    if (run == max_runs) return fmt::format("{} and {} more", names, nodes.size() - first);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", graph.node(nodes[first]).name);
    if (end > first + 1) names += fmt::format(" to {}", graph.node(nodes[end - 1]).name);
    first = end;
  }
  return names;
}

}  // namespace orrery::core
