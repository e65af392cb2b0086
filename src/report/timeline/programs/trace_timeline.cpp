#include "report/timeline/programs/trace_timeline.hpp"

#include <algorithm>

#include "report/timeline/arrows.hpp"
#include "report/traces/local_memory.hpp"
#include "report/traces/trace_words.hpp"
#include "workload/chakra/files/kinds.hpp"

namespace orrery::core {

namespace {

std::string_view type_of(const NodeRow& row) {
  const auto kind = std::ranges::find(chakra::kinds_of_nodes, row.graph.kind(row.node));
  return word_of(node_type_words, static_cast<chakra::NodeType>(kind - chakra::kinds_of_nodes.begin()));
}

constexpr Column<NodeRow> node_columns[] = {
    {"rank", "", "Number of the NPU.", [](auto& row) { return row.rank; }},
    {"node", "", "Id of the node.", [](auto& row) { return row.graph.number(row.node); }},
    {"name", "", "Name of the node.", [](auto& row) { return row.graph.name(row.node); }},
    {"type", "", "Type of the node, as `orrery inspect` calls it.", [](auto& row) { return type_of(row); }},
    {"issued_ns", "ns", "Time at which the node was issued.", [](auto& row) { return row.interval.start; }},
    {"finished_ns", "ns", "Time at which the node finished.", [](auto& row) { return row.interval.end; }},
    {"message", "",
     "Number of the message, from 1. It is the same where the message is sent and where it is received.",
     [](auto& row) { return row.message > 0 ? std::optional(row.message) : std::nullopt; }},
};

}  // namespace

const Table<NodeRow> node_table(node_columns);

void TraceTimeline::add_counters_of(RankId rank, TimelineSink& sink) const {
  if (!rules_.track_local_memory) return;
  TimelineCounter memory{"memory of tensors", TimelineCounter::Unit::bytes, {}};
  for (const auto& [time, bytes] : local_memory_use(traces_, recording_, rank))
    memory.values.emplace_back(time, static_cast<double>(bytes));
  sink.add(memory);
}

TimelineLimit TraceTimeline::write_rows(RowSink& sink) const {
  sink.begin(node_table);
  MessageArrows messages;
  SmallNumbers numbers;
  for (const RankId rank : first_ids<RankId>(traces_.ranks())) {
    const ExecutionGraph& graph = traces_.graph_of(rank);
    const std::vector<Interval>& operations = recording_.operations_of(rank);
    const std::vector<std::uint32_t> message =
        numbers_of_messages(rank, graph, operations, messages, numbers);
    for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
      sink.add(node_table, NodeRow{rank, graph, id, operations[id], message[id]});
    }
  }
  return TimelineLimit(traces_.ranks());
}

}  // namespace orrery::core
