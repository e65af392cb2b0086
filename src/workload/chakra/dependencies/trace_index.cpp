#include "workload/chakra/dependencies/trace_index.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace orrery::core::chakra {
namespace {

std::optional<std::uint32_t> position_of(const std::vector<std::uint64_t>& ids, std::uint64_t id) {
  if (ids.empty() || id < ids.front()) return std::nullopt;
  // Mostly ids are consecutive.
  const std::uint64_t guess = id - ids.front();
  if (guess < ids.size() && ids[guess] == id) return static_cast<std::uint32_t>(guess);
  const auto found = std::ranges::lower_bound(ids, id);
  if (found == ids.end() || *found != id) return std::nullopt;
  return static_cast<std::uint32_t>(found - ids.begin());
}

// Sorts the elements from `begin` on, and drops repeated ones.
template <class T>
void make_unique_from(std::vector<T>& list, std::size_t begin) {
  const auto first = list.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, list.end());
  list.erase(std::unique(first, list.end()), list.end());
}

void add_parents(const Trace& trace, std::span<const std::uint32_t> same_id, std::uint64_t id,
                 TraceIndex& index) {
  std::vector<std::uint32_t>& parents = index.parents.ids;
  const std::size_t begin = parents.size(), begin_missing = index.missing.size();
  for (const std::uint32_t node : same_id) {
    for (const std::uint64_t parent : trace.parents_of(node)) {
      if (const auto position = position_of(index.ids, parent))
        parents.push_back(*position);
      else
        index.missing.push_back({id, parent});
    }
  }
  make_unique_from(parents, begin);
  make_unique_from(index.missing, begin_missing);
  index.parents.end_list();
}

// Indexes nodes that are not in the file by ascending id, or of which several have the same id.
void index_in_order_of_ids(const Trace& trace, TraceIndex& index) {
  const std::vector<std::uint64_t> id_of = std::move(index.ids);
  index.ids = {};
  std::vector<std::uint32_t> order(id_of.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t node) { return id_of[node]; });
  std::vector<std::uint32_t> begins;  // of the nodes of each id, in `order`
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    const std::uint64_t id = id_of[order[at]];
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
  for (std::uint32_t node = 0; node < index.size(); ++node) {
    const auto same_id = std::span(order).subspan(begins[node], begins[node + 1] - begins[node]);
    add_parents(trace, same_id, index.ids[node], index);
  }
}

TraceIndex index_of_parents(const Trace& trace) {
  TraceIndex index;
  const auto nodes = static_cast<std::uint32_t>(trace.nodes.size());
  index.ids.reserve(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) index.ids.push_back(trace.nodes.id(node));
  index.parents.ids.reserve(trace.parents.size());
  index.parents.first.reserve(index.ids.size() + 1);
  if (std::ranges::adjacent_find(index.ids, std::ranges::greater_equal()) != index.ids.end()) {
    index_in_order_of_ids(trace, index);
  } else {
    for (std::uint32_t node = 0; node < nodes; ++node) add_parents(trace, {&node, 1}, index.ids[node], index);
  }
  return index;
}

}  // namespace

TraceIndex take_index(Trace& trace) {
  TraceIndex index = index_of_parents(trace);
  trace.parents = {};
  trace.first_parent = {};
  trace.data_parents = {};
  index.children = reversed(index.parents);
  return index;
}

std::vector<std::uint32_t> in_order_of_dependencies(const TraceIndex& index) {
  std::vector<std::uint32_t> order, waits_for(index.size());
  order.reserve(index.size());
  for (std::uint32_t node = 0; node < index.size(); ++node) {
    waits_for[node] = static_cast<std::uint32_t>(index.parents.of(node).size());
    if (waits_for[node] == 0) order.push_back(node);
  }
  for (std::size_t at = 0; at < order.size(); ++at)
    for (const std::uint32_t child : index.children.of(order[at]))
      if (--waits_for[child] == 0) order.push_back(child);
  return order;
}

}  // namespace orrery::core::chakra
