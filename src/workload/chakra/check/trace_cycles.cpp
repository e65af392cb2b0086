#include <algorithm>
#include <limits>

#include "workload/chakra/dependencies/trace_index.hpp"

namespace orrery::core::chakra {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Finds Tarjan's strongly connected components without recursion. Components of one node are left out unless
// the node waits for itself.
class GroupFinder {
 public:
  explicit GroupFinder(const TraceIndex& index)
      : index_(index), number_(index.size(), 0), low_(index.size(), 0), open_(index.size(), false) {}

  std::vector<std::vector<std::uint32_t>> find() {
    // A node that does not wait for a cycle is on none.
    std::vector<bool> harmless(index_.size(), false);
    for (const std::uint32_t node : in_order_of_dependencies(index_)) harmless[node] = true;
    for (std::uint32_t node = 0; node < index_.size(); ++node)
      if (!harmless[node] && number_[node] == 0) visit_from(node);
    return std::move(groups_);
  }

 private:
  struct Step {
    std::uint32_t node;
    std::size_t next;  // of its parents
  };

  void visit_from(std::uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      Step& step = path_.back();
      const auto parents = index_.parents.of(step.node);
      if (step.next < parents.size()) {
        const std::uint32_t parent = parents[step.next++];
        if (number_[parent] == 0)
          enter(parent);
        else if (open_[parent])
          low_[step.node] = std::min(low_[step.node], number_[parent]);
        continue;
      }
      const std::uint32_t node = step.node;
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().node] = std::min(low_[path_.back().node], low_[node]);
      if (low_[node] == number_[node]) close(node);
    }
  }

  void enter(std::uint32_t node) {
    number_[node] = low_[node] = ++last_number_;
    open_[node] = true;
    stack_.push_back(node);
    path_.push_back({node, 0});
  }

  void close(std::uint32_t node) {
    const auto begin = std::find(stack_.rbegin(), stack_.rend(), node).base() - 1;
    std::vector<std::uint32_t> group(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    for (const std::uint32_t member : group) open_[member] = false;
    std::sort(group.begin(), group.end());
    if (group.size() > 1 || std::ranges::binary_search(index_.parents.of(node), node))
      groups_.push_back(std::move(group));
  }

  const TraceIndex& index_;
  std::vector<std::uint32_t> number_, low_;  // number 0: not visited
  std::vector<bool> open_;
  std::vector<std::uint32_t> stack_;
  std::vector<Step> path_;
  std::uint32_t last_number_ = 0;
  std::vector<std::vector<std::uint32_t>> groups_;
};

// Searches breadth first from each node for the way back to itself.
class CycleFinder {
 public:
  explicit CycleFinder(const TraceIndex& index)
      : index_(index), group_(index.size(), none), seen_from_(index.size(), none), via_(index.size(), none) {}

  std::vector<std::uint32_t> shortest_in(const std::vector<std::uint32_t>& group) {
    for (const std::uint32_t node : group) group_[node] = group.front();
    std::vector<std::uint32_t> best;
    // The first search always comes to an end, so there is a cycle to show.
    for (const std::uint32_t start : group) {
      if (!best.empty() && (best.size() == 1 || edges_left_ <= 0)) break;
      std::vector<std::uint32_t> cycle = shortest_through(start, best.empty() ? none : best.size() - 1);
      if (!cycle.empty()) best = std::move(cycle);
    }
    std::rotate(best.begin(), std::ranges::min_element(best), best.end());
    return best;
  }

 private:
  // Returns a shortest cycle through `start` of at most `longest` nodes; empty when there is none.
  std::vector<std::uint32_t> shortest_through(std::uint32_t start, std::size_t longest) {
    std::vector<std::uint32_t> level{start}, next;
    seen_from_[start] = start;
    for (std::size_t length = 1; !level.empty() && length <= longest; ++length) {
      next.clear();
      for (const std::uint32_t node : level) {
        for (const std::uint32_t parent : index_.parents.of(node)) {
          --edges_left_;
          if (parent == start) return way_to(node, start);
          if (group_[parent] != group_[start] || seen_from_[parent] == start) continue;
          seen_from_[parent] = start;
          via_[parent] = node;
          next.push_back(parent);
        }
      }
      level.swap(next);
    }
    return {};
  }

  std::vector<std::uint32_t> way_to(std::uint32_t node, std::uint32_t start) const {
    std::vector<std::uint32_t> way;
    for (; node != start; node = via_[node]) way.push_back(node);
    way.push_back(start);
    std::ranges::reverse(way);
    return way;
  }

  const TraceIndex& index_;
  std::vector<std::uint32_t> group_;      // the first node of its group
  std::vector<std::uint32_t> seen_from_;  // the start of the last search that came by
  std::vector<std::uint32_t> via_;
  std::int64_t edges_left_ = 20'000'000;  // about a second
};

}  // namespace

std::vector<std::vector<std::uint32_t>> find_cycles(const TraceIndex& index) {
  std::vector<std::vector<std::uint32_t>> cycles;
  const auto groups = GroupFinder(index).find();
  if (groups.empty()) return cycles;
  CycleFinder finder(index);
  for (const auto& group : groups) cycles.push_back(finder.shortest_in(group));
  std::ranges::sort(cycles, [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() < b.size() : a.front() < b.front();
  });
  return cycles;
}

}  // namespace orrery::core::chakra
