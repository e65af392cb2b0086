#include "report/timeline/trace_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/local_memory.hpp"
#include "report/timeline/arrows.hpp"
#include "report/trace_words.hpp"

namespace orrery {

namespace {

using chakra::Node;
using chakra::NodeType;

Node node_of(const NodeRow& row) {
  return row.graph.nodes[row.node];
}

// Returns a cell that is empty unless the node has the attribute.
Cell if_given(const Node& node, chakra::Attribute attribute, auto value) {
  return (node.has & attribute) != 0 ? Cell(value) : Cell();
}

Cell bytes_of(const Node& node) {
  const Cell sent = if_given(node, chakra::has_comm_size, node.comm_size);
  return sent.is_empty() ? if_given(node, chakra::has_tensor_size, node.tensor_size) : sent;
}

constexpr Column<NodeRow> node_columns[] = {
    {"rank", "", "Number of the NPU.", [](auto& row) { return row.rank; }, "", Form::csv},
    {"node", "", "Id of the node.", [](auto& row) { return row.graph.nodes.id(row.node); }},
    {"name", "", "Its name.", [](auto& row) { return std::string_view(row.graph.nodes.name(row.node)); }, "",
     Form::csv},
    {"type", "", "Its type, as `orrery inspect` calls it.",
     [](auto& row) { return word_of(node_type_words, row.graph.nodes.type(row.node)); }},
    {"issued_ns", "ns", "When it was issued.", [](auto& row) { return row.interval.start; }, "", Form::csv},
    {"finished_ns", "ns", "When it finished.", [](auto& row) { return row.interval.end; }, "", Form::csv},
};

constexpr Column<NodeRow> node_fact_columns[] = {
    {"collective", "", "Kind of the collective, such as `all-reduce`.",
     [](auto& row) {
       const Node node = node_of(row);
       return node.type == NodeType::collective ? Cell(word_of(comm_type_words, node.comm_type)) : Cell();
     },
     "", Form::json},
    {"bytes", "bytes", "Size of the collective, of the message or of the memory access.",
     [](auto& row) { return bytes_of(node_of(row)); }, "", Form::json},
    {"group", "", "Process group of the collective, where the trace names one.",
     [](auto& row) {
       const Node node = node_of(row);
       return if_given(node, chakra::has_pg_name, std::string_view(row.graph.texts[node.pg_name]));
     },
     "", Form::json},
    {"source", "", "Rank that sends.",
     [](auto& row) {
       const Node node = node_of(row);
       return if_given(node, chakra::has_comm_src, node.comm_src);
     },
     "", Form::json},
    {"destination", "", "Rank that receives.",
     [](auto& row) {
       const Node node = node_of(row);
       return if_given(node, chakra::has_comm_dst, node.comm_dst);
     },
     "", Form::json},
    {"tag", "", "Tag of the message.",
     [](auto& row) {
       const Node node = node_of(row);
       return if_given(node, chakra::has_comm_tag, node.comm_tag);
     },
     "", Form::json},
};

// Returns the stream of a node that is drawn; none of others, which take no time.
std::optional<Stream> stream_of(const chakra::NodeList& nodes, std::size_t node) {
  switch (nodes.type(node)) {
    case NodeType::compute:
      return nodes.on_cpu(node) ? Stream::host : Stream::compute;
    case NodeType::collective:
      return Stream::collective;
    case NodeType::send:
      return Stream::send;
    case NodeType::receive:
      return Stream::receive;
    case NodeType::memory_load:
    case NodeType::memory_store:
      return Stream::memory;
    default:
      return std::nullopt;
  }
}

// The slices of one rank, with arrows to each collective and from it, and from a send to its receive.
class RankSlices {
 public:
  RankSlices(std::uint32_t rank, std::size_t ranks, const chakra::TraceGraph& graph,
             const RankRecording& recording, MessageArrows& messages)
      : rank_(rank),
        ranks_(ranks),
        graph_(graph),
        recording_(recording),
        messages_(messages),
        is_shown_(graph.nodes.size()),
        arrows_(rank) {}

  void add_to(TimelineSink& sink, TimelineLimit& limit) {
    std::vector<std::uint32_t> shown;
    for (std::uint32_t node = 0; node < graph_.nodes.size(); ++node) {
      is_shown_[node] = stream_of(graph_.nodes, node) && limit.take();
      if (is_shown_[node]) shown.push_back(node);
    }
    for (const std::uint32_t node : shown) add_arrows(node);
    std::ranges::stable_sort(shown, {}, [&](std::uint32_t node) { return recording_.nodes[node].start; });
    arrows_.sort();
    for (const std::uint32_t node : shown) sink.add(slice_of(node));
  }

 private:
  void add_arrows(std::uint32_t node) {
    const bool collective = graph_.nodes.type(node) == NodeType::collective;
    for (const std::uint32_t child : graph_.edges->children_of(node))
      if (is_shown_[child] && (collective || graph_.nodes.type(child) == NodeType::collective))
        arrows_.add(node, child);
  }

  TimelineSlice slice_of(std::uint32_t number) {
    const NodeRow row{rank_, graph_, number, recording_.nodes[number]};
    const Node node = node_of(row);
    TimelineSlice slice;
    slice.stream = *stream_of(graph_.nodes, number);
    slice.name = graph_.nodes.name(number);
    if (slice.name.empty()) slice.name = fmt::format("node {}", node.id);
    slice.interval = row.interval;
    add_facts(slice.facts, node_table, row);
    add_facts(slice.facts, node_fact_table, row);
    slice.arrows = arrows_.of(number);
    const bool sends = node.type == NodeType::send, receives = node.type == NodeType::receive;
    if (sends) slice.message = messages_.sent({rank_, node.comm_dst, node.comm_tag});
    if (receives) slice.message = messages_.received({node.comm_src, rank_, node.comm_tag});
    if (sends || receives || node.type == NodeType::collective) slice.communication = communication_of(node);
    return slice;
  }

  TimelineCommunication communication_of(const Node& node) const {
    const bool collective = node.type == NodeType::collective;
    const bool among_all = collective && (node.has & (chakra::has_pg_name | chakra::has_involved_dims)) == 0;
    return {collective ? word_of(comm_type_words, node.comm_type) : std::string_view(), Bytes(node.comm_size),
            graph_.texts[node.pg_name], among_all ? ranks_ : 0};
  }

  const std::uint32_t rank_;
  const std::size_t ranks_;
  const chakra::TraceGraph& graph_;
  const RankRecording& recording_;
  MessageArrows& messages_;
  std::vector<bool> is_shown_;
  Arrows arrows_;
};

}  // namespace

const Table<NodeRow> node_table(node_columns);
const Table<NodeRow> node_fact_table(node_fact_columns);

TimelineLimit TraceTimeline::describe(TimelineSink& sink) const {
  const std::size_t shown = recording_.ranks.size(), alike = traces_.size() / shown;
  TimelineLimit limit(shown, sink.most_slices());
  MessageArrows messages;
  for (std::uint32_t rank = 0; rank < shown; ++rank) {
    const chakra::TraceGraph& graph = *traces_[rank].graph;
    limit.begin_part();
    sink.begin({"", rank, alike, traces_.size(), {recording_.ranks[rank].finish}});
    RankSlices(rank, traces_.size(), graph, recording_.ranks[rank], messages).add_to(sink, limit);
    if (!machine_.track_local_memory) continue;
    TimelineCounter memory{"memory of tensors", TimelineCounter::Unit::bytes, {}};
    for (const auto& [time, bytes] : local_memory_use(graph, recording_.ranks[rank]))
      memory.values.emplace_back(time, static_cast<double>(bytes));
    sink.add(memory);
  }
  return limit;
}

TimelineLimit TraceTimeline::write_csv(FileWriter& file) const {
  file.append(csv_title(node_table) + '\n');
  std::string line;
  for (std::size_t r = 0; r < traces_.size(); ++r) {
    const chakra::TraceGraph& graph = *traces_[r].graph;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      line.clear();
      append_csv_row(line, node_table, NodeRow{r, graph, n, recording_.of(r).nodes[n]});
      file.append(line += '\n');
    }
  }
  return TimelineLimit(traces_.size());
}

}  // namespace orrery
