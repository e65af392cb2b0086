#include "workload/chakra/program/trace_graph.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"
#include "workload/chakra/dependencies/trace_index.hpp"

namespace orrery::core::chakra {
namespace {

std::string and_more(std::size_t count, const char* one, const char* several) {
  return count == 0 ? "" : " (and " + std::to_string(count) + " more " + (count == 1 ? one : several) + ")";
}

// "nodes 3 -> 5 -> 3 wait for each other"
std::string described(const std::vector<std::uint32_t>& cycle, const TraceIndex& index) {
  const auto id_of = [&](std::uint32_t position) { return std::to_string(index.ids[position]); };
  if (cycle.size() == 1) return "node " + id_of(cycle[0]) + " waits for itself";
  constexpr std::size_t most = 10;
  std::string out = "nodes ";
  for (std::size_t i = 0; i < std::min(cycle.size(), most); ++i) out += id_of(cycle[i]) + " -> ";
  if (cycle.size() > most) out += "... (" + std::to_string(cycle.size()) + " nodes) -> ";
  return out + id_of(cycle[0]) + " wait for each other";
}

// Returns the positions in order of the dependencies.
std::vector<std::uint32_t> checked_order(const TraceIndex& index, const std::string& file) {
  if (index.ids.empty()) throw InputError({file}, "the trace holds no nodes, so there is nothing to run");
  std::vector<std::uint32_t> order = in_order_of_dependencies(index);
  if (order.size() == index.ids.size()) return order;
  const auto cycles = find_cycles(index);
  const bool nothing_starts =
      std::ranges::adjacent_find(index.parents.first, std::ranges::equal_to()) == index.parents.first.end();
  throw InputError({file}, (nothing_starts ? "no node can start: " : "") + described(cycles.front(), index) +
                               ", so none of them ever starts; remove one of these dependencies" +
                               and_more(cycles.size() - 1, "cycle", "cycles"));
}

// Returns the entries of the nodes that supply their position, by position.
template <class Entry>
std::vector<Entry> by_position(const std::vector<Entry>& entries, const Trace& trace,
                               const TraceIndex& index) {
  std::vector<Entry> out;
  for (const Entry& entry : entries) {
    const auto position = static_cast<std::uint32_t>(
        std::ranges::lower_bound(index.ids, trace.nodes.id(entry.node)) - index.ids.begin());
    if (index.node_at(position) != entry.node) continue;
    out.push_back(entry);
    out.back().node = position;
  }
  std::ranges::sort(out, {}, &Entry::node);
  return out;
}

NodeList nodes_by_position(NodeList nodes, const TraceIndex& index) {
  if (index.node.empty()) return nodes;
  NodeList out;
  out.reserve(index.size());
  for (const std::uint32_t node : index.node) out.push_back(nodes[node], nodes.name(node));
  return out;
}

}  // namespace

std::string described(const NodeList& nodes, std::size_t node) {
  const std::string_view name = nodes.name(node);
  return "node " + std::to_string(nodes.id(node)) + (name.empty() ? "" : " (" + backquoted(name) + ")");
}

TraceGraph make_graph(Trace trace, const std::string& file, TraceOrder order) {
  TraceIndex index = take_index(trace);
  const std::vector<std::uint32_t> positions = checked_order(index, file);
  TraceGraph graph;
  TraceDoubts& doubts = graph.doubts;
  doubts.order = device_order(trace, index, positions);
  if (order == TraceOrder::recorded) {
    doubts.chains = chain_streams(trace, index, positions);
    doubts.order = device_order(trace, index, in_order_of_dependencies(index));
  }
  doubts.missing_parents = std::move(index.missing);
  doubts.rounded_sizes = trace.rounded_sizes;
  doubts.compute = compute_times(trace.nodes);
  graph.texts = std::move(trace.texts);
  graph.tensors = by_position(trace.tensors, trace, index);
  graph.metadata = by_position(trace.metadata, trace, index);
  graph.parents = std::make_shared<GraphEdges>(std::move(index.parents));
  graph.nodes = nodes_by_position(std::move(trace.nodes), index);
  return graph;
}

}  // namespace orrery::core::chakra
