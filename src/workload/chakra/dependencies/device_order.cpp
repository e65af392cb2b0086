#include "workload/chakra/dependencies/device_order.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <utility>
#include <vector>

namespace orrery::core::chakra {
namespace {

bool is_of_device(const NodeList& nodes, std::uint32_t node) {
  const NodeType type = nodes.type(node);
  return !nodes.on_cpu(node) && type != NodeType::metadata && type != NodeType::invalid;
}

// When a node was recorded to begin; positions are in order of the ids.
using Recorded = std::pair<std::uint64_t, std::uint32_t>;

// Puts nodes of the device into the order of the recording, as far as dependencies allow that.
class StreamChains {
 public:
  StreamChains(const Trace& trace, const TraceIndex& index)
      : trace_(trace), index_(index), none_(index.size()), before_(index.size(), none_) {}

  ChainedStreams chain(std::span<const std::uint32_t> order) {
    due_.assign(index_.size(), Recorded{std::numeric_limits<std::uint64_t>::max(), index_.size()});
    for (auto position = order.rbegin(); position != order.rend(); ++position) set_due(*position);
    std::vector<std::uint32_t> waits_for(index_.size());
    for (std::uint32_t position = 0; position < index_.size(); ++position) {
      waits_for[position] = static_cast<std::uint32_t>(index_.parents.of(position).size());
      if (waits_for[position] == 0) ready_.emplace(due_[position], position);
    }
    while (!ready_.empty()) {
      const std::uint32_t position = ready_.top().second;
      ready_.pop();
      take(position);
      for (const std::uint32_t child : index_.children.of(position))
        if (--waits_for[child] == 0) ready_.emplace(due_[child], child);
    }
    return made_;
  }

  // Returns the parents of all nodes, with those in the chains.
  GraphEdges parents() const {
    GraphEdges parents;
    parents.ids.reserve(index_.parents.ids.size() + index_.size());
    parents.first.reserve(index_.parents.first.size());
    for (std::uint32_t position = 0; position < index_.size(); ++position) {
      const std::span<const std::uint32_t> old = index_.parents.of(position);
      const std::uint32_t before = before_[position];
      const auto rest = std::ranges::lower_bound(old, before);
      parents.ids.insert(parents.ids.end(), old.begin(), rest);
      if (before != none_ && (rest == old.end() || *rest != before)) parents.ids.push_back(before);
      parents.ids.insert(parents.ids.end(), rest, old.end());
      parents.end_list();
    }
    return parents;
  }

 private:
  std::uint32_t node_at(std::uint32_t position) const { return index_.node_at(position); }
  Recorded recorded(std::uint32_t position) const {
    return {trace_.nodes[node_at(position)].start_us, position};
  }

  // A node is due when the first node of the device that waits for it was recorded to begin. So in the order
  // of when nodes are due, nothing keeps a node of the device from its place but a contradiction.
  void set_due(std::uint32_t position) {
    if (is_of_device(trace_.nodes, node_at(position))) due_[position] = recorded(position);
    for (const std::uint32_t child : index_.children.of(position))
      due_[position] = std::min(due_[position], due_[child]);
  }

  void take(std::uint32_t position) {
    if (!is_of_device(trace_.nodes, node_at(position))) return;
    const auto [last, is_first] =
        last_of_stream_.try_emplace(trace_.nodes[node_at(position)].stream, position);
    if (is_first) return;
    const std::uint32_t before = std::exchange(last->second, position);
    before_[position] = before;
    ++made_.edges;
    if (recorded(before).first != recorded(position).first) ++made_.with_starts;
    if (recorded(before) < recorded(position)) return;
    if (made_.contradictions++ > 0) return;
    made_.example_before = index_.ids[before];
    made_.example_after = index_.ids[position];
  }

  const Trace& trace_;
  const TraceIndex& index_;
  std::vector<Recorded> due_;  // by position
  using Due = std::pair<Recorded, std::uint32_t>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> ready_;
  std::map<std::int64_t, std::uint32_t> last_of_stream_;
  const std::uint32_t none_;
  std::vector<std::uint32_t> before_;  // the node before a node in its stream
  ChainedStreams made_;
};

}  // namespace

namespace {

// Returns how many of some nodes of the device were recorded to begin later than its first one.
std::uint64_t recorded_later(const Trace& trace, const TraceIndex& index,
                             std::span<const std::uint32_t> order,
                             const std::vector<std::uint32_t>& positions) {
  if (positions.empty()) return 0;
  const auto start = [&](std::uint32_t position) { return trace.nodes[index.node_at(position)].start_us; };
  std::uint64_t first = start(positions.front());
  for (const std::uint32_t position : order)
    if (is_of_device(trace.nodes, index.node_at(position))) first = std::min(first, start(position));
  return static_cast<std::uint64_t>(
      std::ranges::count_if(positions, [&](std::uint32_t position) { return start(position) > first; }));
}

}  // namespace

DeviceOrder device_order(const Trace& trace, const TraceIndex& index, std::span<const std::uint32_t> order) {
  DeviceOrder out;
  std::vector<bool> comes_after_device(index.size()), comes_before_device(index.size());
  const auto of_device = [&](std::uint32_t position) {
    return is_of_device(trace.nodes, index.node_at(position));
  };
  for (const std::uint32_t position : order)
    for (const std::uint32_t parent : index.parents.of(position))
      if (comes_after_device[parent] || of_device(parent)) comes_after_device[position] = true;
  for (auto position = order.rbegin(); position != order.rend(); ++position)
    for (const std::uint32_t child : index.children.of(*position))
      if (comes_before_device[child] || of_device(child)) comes_before_device[*position] = true;
  std::vector<std::uint32_t> first_collectives;
  for (const std::uint32_t position : order) {
    const std::uint32_t node = index.node_at(position);
    if (!of_device(position)) {
      out.has_host |= trace.nodes.on_cpu(node);
      continue;
    }
    ++out.nodes;
    if (!comes_before_device[position]) ++out.without_successor;
    if (trace.nodes.type(node) == NodeType::collective && !comes_after_device[position])
      first_collectives.push_back(position);
  }
  out.collectives_without_predecessor = first_collectives.size();
  out.collectives_too_early = recorded_later(trace, index, order, first_collectives);
  if (!out.lacks_successors()) return out;  // then the rest does not matter
  for (const std::uint32_t position : order) {
    if (!of_device(position)) continue;
    const Node node = trace.nodes[index.node_at(position)];
    out.names_streams |= node.stream != 0;
    out.has_starts |= node.start_us != 0;
  }
  return out;
}

ChainedStreams chain_streams(const Trace& trace, TraceIndex& index, std::span<const std::uint32_t> order) {
  StreamChains chains(trace, index);
  const ChainedStreams made = chains.chain(order);
  index.parents = chains.parents();
  index.children = reversed(index.parents);
  return made;
}

}  // namespace orrery::core::chakra
