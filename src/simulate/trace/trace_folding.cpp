#include "simulate/trace/trace_folding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace orrery {

namespace {

using chakra::NodeType;

bool has(const chakra::TraceGraph& graph, std::initializer_list<NodeType> types) {
  for (std::size_t node = 0; node < graph.nodes.size(); ++node)
    if (std::ranges::find(types, graph.nodes.type(node)) != types.end()) return true;
  return false;
}

template <class Is>
bool any_collective(const chakra::TraceGraph& graph, const Is& is) {
  for (std::size_t node = 0; node < graph.nodes.size(); ++node)
    if (graph.nodes.type(node) == NodeType::collective && is(graph.nodes[node])) return true;
  return false;
}

// Returns roughly how many messages the collectives of one rank send.
double messages_of(const chakra::TraceGraph& graph, const TraceMachine& machine) {
  double per_chunk = 0;
  for (const Dimension& dimension : machine.topology.dimensions) per_chunk += 2.0 * dimension.size;
  std::size_t collectives = 0;
  for (std::size_t node = 0; node < graph.nodes.size(); ++node)
    collectives += graph.nodes.type(node) == NodeType::collective ? 1 : 0;
  return static_cast<double>(collectives) * machine.streams.splits * per_chunk;
}

double messages_of(const std::vector<RankTrace>& traces, const TraceMachine& machine) {
  std::map<const chakra::TraceGraph*, double> by_graph;
  double sum = 0;
  for (const RankTrace& trace : traces) {
    const auto [known, is_new] = by_graph.try_emplace(trace.graph.get(), 0);
    if (is_new) known->second = messages_of(*trace.graph, machine);
    sum += known->second;
  }
  return sum;
}

const char* why_every_message(const std::vector<RankTrace>& traces, const TraceMachine& machine) {
  if (!machine.fold) return "folding is switched off";
  if (machine.library) return "a library's closed forms carry out collectives";
  if (machine.network->carries_collectives) return "messages may meet on links";
  if (machine.streams.shared_bus) return "chunks share a bus";
  if (machine.streams.rendezvous) return "messages wait for their receivers (rendezvous)";
  const bool shared_memory =
      machine.memory.kind == RemoteMemory::Kind::per_node || machine.memory.kind == RemoteMemory::Kind::pool;
  if (shared_memory && std::ranges::any_of(traces, [](const RankTrace& trace) {
        return has(*trace.graph, {NodeType::memory_load, NodeType::memory_store});
      }))
    return "ranks queue for remote memory";
  return nullptr;
}

bool covers_machine(const std::string& group, const TraceMachine& machine) {
  if (group.empty() || group == "0") return true;
  int id = 0;
  std::from_chars(group.data(), group.data() + group.size(), id);
  const auto found = machine.groups.find(id);
  return found != machine.groups.end() && static_cast<int>(found->second.size()) == machine.topology.npus();
}

bool runs_rooted_collectives(const StreamConfig& streams) {
  return std::ranges::any_of(collective_kind_words, [&](const auto& entry) {
    return !is_symmetric(entry.value) && streams.runs(entry.value);
  });
}

// Returns whether the trace has collectives in which members do different things.
bool has_rooted_collectives(const chakra::TraceGraph& graph) {
  using chakra::CommType;
  return any_collective(graph, [](const chakra::Node& node) {
    for (const CommType type : {CommType::all_reduce, CommType::all_gather, CommType::all_to_all,
                                CommType::reduce_scatter, CommType::reduce_scatter_block})
      if (node.comm_type == type) return false;
    return true;
  });
}

const char* why_every_rank(const std::vector<RankTrace>& traces, const TraceMachine& machine) {
  const chakra::TraceGraph& graph = *traces[0].graph;
  if (std::ranges::any_of(traces, [&](const RankTrace& trace) { return trace.graph.get() != &graph; }))
    return "their traces differ";
  if (traces[0].process_groups) return "the trace defines process groups";
  if (has(graph, {NodeType::send, NodeType::receive})) return "the trace sends messages";
  if (has_rooted_collectives(graph) && runs_rooted_collectives(machine.streams))
    return "rooted collectives give each rank a part of its own";
  if (!machine.custom_of_node.empty() ||
      std::ranges::any_of(machine.custom, [](const auto& custom) { return custom != nullptr; }))
    return "a custom algorithm gives each rank a part of its own";
  if (any_collective(graph, [&](const chakra::Node& node) {
        return !covers_machine(graph.texts[node.pg_name], machine);
      }))
    return "the trace names a group that is smaller than the machine";
  return nullptr;
}

TraceFolding every_message(const std::string& reason) {
  return {TraceFolding::Level::messages, fmt::format("every message was simulated: {}", reason)};
}

TraceFolding every_rank(const std::string& reason) {
  return {TraceFolding::Level::phases,
          fmt::format("phases of collectives were worked out in one go, for every rank: {}", reason)};
}

TraceFolding one_rank(std::size_t ranks) {
  return {TraceFolding::Level::one_rank,
          fmt::format("one rank was simulated, {} do the same; phases were worked out in one go", ranks)};
}

TraceFolding in_step(std::size_t ranks) {
  return {TraceFolding::Level::in_step,
          fmt::format("one rank was simulated message by message, {} do the same", ranks)};
}

}  // namespace

TraceFolding less_folded(const TraceFolding& folding, const std::string& reason, std::size_t ranks) {
  using Level = TraceFolding::Level;
  if (folding.few_messages || folding.level == Level::phases) return every_message(reason);
  return folding.level == Level::in_step ? one_rank(ranks) : every_rank(reason);
}

TraceFolding fold(const std::vector<RankTrace>& traces, const TraceMachine& machine) {
  if (const char* reason = why_every_message(traces, machine)) return every_message(reason);
  TraceFolding folding;
  const bool few = messages_of(traces, machine) < machine.few_messages;
  if (const char* reason = why_every_rank(traces, machine))
    folding = every_rank(reason);
  else if (few || messages_of(*traces[0].graph, machine) < machine.few_messages_of_rank)
    folding = in_step(traces.size());
  else
    folding = one_rank(traces.size());
  folding.few_messages = few;
  return folding;
}

}  // namespace orrery
