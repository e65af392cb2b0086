#include "topology/graph/measures/shifts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace orrery::core {
namespace {

class ShiftSearch {
 public:
  explicit ShiftSearch(const NetworkGraph& graph)
      : graph_(graph), place_(graph.nodes()), budget_(visits_per_link * (graph.links() + graph.nodes())) {
    std::iota(place_.begin(), place_.end(), NodeId(0));
    if (graph.npus() == graph.nodes()) find();
    for (NodeId& place : place_) place = first_of(place);
  }

  std::vector<NodeId> places() && { return std::move(place_); }

 private:
  static constexpr std::size_t visits_per_link = 32;
  using End = std::pair<NodeId, std::int64_t>;

  void find() {
    std::vector<std::size_t> divisors;
    for (std::size_t i = 1; i <= graph_.nodes(); ++i)
      if (graph_.nodes() % i == 0) divisors.push_back(i);
    for (const std::size_t shift : divisors)
      for (const std::size_t block : divisors) {
        if (block <= shift || block % shift != 0) continue;
        if (first_of(NodeId(0)) == first_of(NodeId(shift))) break;
        if (is_symmetry(block, shift)) join(block, shift);
      }
  }

  NodeId first_of(NodeId node) const {
    while (place_[node.index()] != node) node = place_[node.index()];
    return node;
  }

  void join(std::size_t block, std::size_t shift) {
    for (const NodeId node : graph_.all_nodes()) {
      const NodeId one = first_of(node), other = first_of(shifted(node, block, shift));
      place_[std::max(one, other).index()] = std::min(one, other);
      place_[node.index()] = std::min(one, other);
    }
  }

  static NodeId shifted(NodeId node, std::size_t block, std::size_t shift) {
    return NodeId(node.index() - node.index() % block + (node.index() + shift) % block);
  }

  bool is_symmetry(std::size_t block, std::size_t shift) {
    for (const NodeId node : graph_.all_nodes()) {
      const NodeId image = shifted(node, block, shift);
      if (graph_.node(node).forwards != graph_.node(image).forwards) return false;
      const auto& links = graph_.links_from(node);
      if (links.size() != graph_.links_from(image).size()) return false;
      if (budget_ < links.size() + 1) return false;
      budget_ -= links.size() + 1;
      ends_.clear();
      ends_of_image_.clear();
      for (const LinkId id : links)
        ends_.emplace_back(shifted(graph_.link(id).to, block, shift), graph_.link(id).latency.ps());
      for (const LinkId id : graph_.links_from(image))
        ends_of_image_.emplace_back(graph_.link(id).to, graph_.link(id).latency.ps());
      std::ranges::sort(ends_);
      std::ranges::sort(ends_of_image_);
      if (ends_ != ends_of_image_) return false;
    }
    return true;
  }

  const NetworkGraph& graph_;
  std::vector<NodeId> place_;  // a node alike, of a smaller number if there is one
  std::size_t budget_;         // links that may still be looked at
  std::vector<End> ends_, ends_of_image_;
};

}  // namespace

std::vector<NodeId> places_by_shifts(const NetworkGraph& graph) {
  return ShiftSearch(graph).places();
}

}  // namespace orrery::core
