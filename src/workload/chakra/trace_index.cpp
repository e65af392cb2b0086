#include "workload/chakra/trace_index.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace orrery::chakra {
namespace {

// All nodes by ascending id; those of the same id in the order of the file.
std::vector<std::uint32_t> nodes_by_id(const Trace& trace) {
  std::vector<std::uint32_t> order(trace.nodes.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto id_of = [&](std::uint32_t node) { return trace.nodes[node].id; };
  if (!std::ranges::is_sorted(order, {}, id_of)) std::ranges::stable_sort(order, {}, id_of);
  return order;
}

std::optional<std::uint32_t> position_of(const std::vector<std::uint64_t>& ids, std::uint64_t id) {
  if (ids.empty() || id < ids.front()) return std::nullopt;
  // Mostly ids are consecutive.
  const std::uint64_t guess = id - ids.front();
  if (guess < ids.size() && ids[guess] == id) return static_cast<std::uint32_t>(guess);
  const auto found = std::ranges::lower_bound(ids, id);
  if (found == ids.end() || *found != id) return std::nullopt;
  return static_cast<std::uint32_t>(found - ids.begin());
}

// Sorts what stands from `begin` on, and drops what stands there twice.
template <class T>
void make_unique_from(std::vector<T>& list, std::size_t begin) {
  const auto first = list.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, list.end());
  list.erase(std::unique(first, list.end()), list.end());
}

void add_parents(const Trace& trace, std::span<const std::uint32_t> same_id, TraceIndex& index) {
  const std::size_t begin = index.parents.size(), begin_missing = index.missing.size();
  for (const std::uint32_t node : same_id) {
    for (const std::uint64_t parent : trace.parents_of(node)) {
      if (const auto position = position_of(index.ids, parent))
        index.parents.push_back(*position);
      else
        index.missing.push_back({trace.nodes[node].id, parent});
    }
  }
  make_unique_from(index.parents, begin);
  make_unique_from(index.missing, begin_missing);
  index.first_parent.push_back(static_cast<std::uint32_t>(index.parents.size()));
}

void add_children(TraceIndex& index) {
  index.first_child.assign(index.ids.size() + 1, 0);
  for (const std::uint32_t parent : index.parents) ++index.first_child[parent + 1];
  std::partial_sum(index.first_child.begin(), index.first_child.end(), index.first_child.begin());
  index.children.resize(index.parents.size());
  std::vector<std::uint32_t> free(index.first_child.begin(), index.first_child.end());
  for (std::uint32_t node = 0; node < index.size(); ++node)
    for (const std::uint32_t parent : index.parents_of(node)) index.children[free[parent]++] = node;
}

}  // namespace

TraceIndex make_index(const Trace& trace) {
  TraceIndex index;
  const std::vector<std::uint32_t> order = nodes_by_id(trace);
  index.ids.reserve(order.size());
  index.node.reserve(order.size());
  std::vector<std::uint32_t> begins;  // of the nodes of each id, in `order`
  begins.reserve(order.size() + 1);
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    const std::uint64_t id = trace.nodes[order[at]].id;
    if (!index.ids.empty() && index.ids.back() == id) {
      index.node.back() = order[at];
      if (index.repeated_ids.empty() || index.repeated_ids.back() != id) index.repeated_ids.push_back(id);
      continue;
    }
    begins.push_back(at);
    index.ids.push_back(id);
    index.node.push_back(order[at]);
  }
  begins.push_back(static_cast<std::uint32_t>(order.size()));

  index.parents.reserve(trace.parents.size());
  index.first_parent.reserve(index.ids.size() + 1);
  index.first_parent.push_back(0);
  for (std::uint32_t node = 0; node < index.size(); ++node)
    add_parents(trace, std::span(order).subspan(begins[node], begins[node + 1] - begins[node]), index);
  add_children(index);
  return index;
}

std::vector<std::uint32_t> in_order_of_dependencies(const TraceIndex& index) {
  std::vector<std::uint32_t> order, waits_for(index.size());
  order.reserve(index.size());
  for (std::uint32_t node = 0; node < index.size(); ++node) {
    waits_for[node] = static_cast<std::uint32_t>(index.parents_of(node).size());
    if (waits_for[node] == 0) order.push_back(node);
  }
  for (std::size_t at = 0; at < order.size(); ++at)
    for (const std::uint32_t child : index.children_of(order[at]))
      if (--waits_for[child] == 0) order.push_back(child);
  return order;
}

}  // namespace orrery::chakra
