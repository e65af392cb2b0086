#include "workload/chakra/conversion/graph_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"
#include "workload/chakra/conversion/operation_words.hpp"
#include "workload/chakra/files/kinds.hpp"

namespace orrery::core::chakra {

namespace {

// The words of an operation: its kind, its pass, its iteration and its layer's number, -1 for none. A
// collective has two more: "urgent" or "in-turn", and its delay in picoseconds. A beginning has others: how
// many passes and dimensions there are, which dimension is split, -1 for none, and where, and all layers.
std::vector<std::string> operation_words(const RecordedGraph& recorded, const Operation& operation) {
  std::vector<std::string> words{std::string(word_of(operation_kind_words, operation.kind))};
  if (operation.kind == OperationKind::begin) {
    const DimensionSplit split = recorded.split.value_or(DimensionSplit{-1, 1});
    for (const int number : {recorded.passes, recorded.dimensions, split.physical, split.first})
      words.push_back(std::to_string(number));
    words.insert(words.end(), recorded.graph.layer_names.begin(), recorded.graph.layer_names.end());
    return words;
  }
  words.emplace_back(word_of(pass_words, operation.pass));
  words.push_back(std::to_string(operation.iteration));
  words.push_back(std::to_string(operation.layer));
  if (operation.kind == OperationKind::collective) {
    words.emplace_back(word_of(turn_words, operation.collective.urgent));
    words.push_back(std::to_string(operation.delay.ps()));
  }
  return words;
}

Node node_of(const RecordedGraph& recorded, const Operation& operation) {
  Node node;
  node.type = NodeType::compute;
  const bool takes_time =
      operation.kind == OperationKind::compute || operation.kind == OperationKind::transition;
  node.on_cpu = operation.kind != OperationKind::compute && operation.kind != OperationKind::collective;
  const Time duration = takes_time ? operation.duration : Time();
  node.duration_ps = static_cast<std::uint64_t>(duration.ps());
  node.duration_us = (node.duration_ps + 500'000) / 1'000'000;
  node.has = has_duration_ps;
  if (operation.kind != OperationKind::collective) return node;
  const CollectiveRequest& request = operation.collective;
  node.type = NodeType::collective;
  node.duration_ps = 0;
  node.has = has_comm_type | has_comm_size | has_involved_dims;
  node.comm_size = request.size.count();
  node.comm_type =
      std::ranges::find(comm_types, request.kind, &decltype(comm_types)::value_type::first)->second;
  node.involved_count = static_cast<std::uint8_t>(recorded.dimensions);
  node.involved_dims = static_cast<std::uint16_t>(request.dimensions.to_ulong());
  if (request.root > 0) {
    node.has |= has_comm_root;
    node.comm_root = request.root;
  }
  return node;
}

std::string name_of(const ExecutionGraph& graph, const Operation& operation) {
  std::string kind(word_of(operation_kind_words, operation.kind));
  if (operation.layer < 0) return kind;
  return fmt::format("{} {} {}", graph.layer_names[static_cast<std::size_t>(operation.layer)],
                     word_of(pass_words, operation.pass),
                     operation.kind == OperationKind::collective
                         ? orrery::core::name_of(operation.collective.kind)
                         : std::string_view(kind));
}

class GraphReader {
 public:
  GraphReader(const Trace& trace, const std::string& file) : trace_(trace), file_(file) {}

  RecordedGraph read() {
    recorded_.file = file_;
    if (trace_.operations.size() != trace_.nodes.size()) {
      throw InputError(
          {file_},
          "the trace was not written by `orrery convert`, so it says what each rank does but not "
          "which program does it; run it as `workload: { traces: ... }` of an experiment, or with a system "
          "file in "
          "JSON, as ASTRA-sim 2 does");
    }
    for (std::uint32_t i = 0; i < trace_.nodes.size(); ++i) {
      if (trace_.nodes.id(i) != i)
        throw InputError({file_}, fmt::format("node {} stands where node {} has to be; the trace has been "
                                              "changed since `orrery convert` wrote it",
                                              trace_.nodes.id(i), i));
      add(i);
    }
    return std::move(recorded_);
  }

 private:
  void add(std::uint32_t index) {
    const Node node = trace_.nodes[index];
    WordReader words(trace_.operations[index].words,
                     fmt::format("node {}: its attribute orrery_operation", index), file_);
    Operation operation;
    operation.kind = words.word(operation_kind_words);
    if (is_message(operation.kind)) words.fail("there are no messages in it");
    if ((node.type == NodeType::collective) != (operation.kind == OperationKind::collective))
      words.fail("it is for a node of another type");
    if (operation.kind == OperationKind::begin) {
      read_machine(words, index);
    } else {
      if (index == 0) words.fail("the first operation is no beginning");
      read_place(words, operation);
      operation.duration = duration_of(node, words);
    }
    std::vector<ExecutionGraph::Id> predecessors;
    for (const std::uint64_t parent : trace_.parents_of(index)) {
      if (parent >= trace_.nodes.size())
        words.fail(fmt::format("the node waits for node {}, which is not there", parent));
      predecessors.push_back(static_cast<ExecutionGraph::Id>(parent));
    }
    if (predecessors.empty() != (index == 0)) words.fail("only the beginning waits for nothing");
    recorded_.graph.add(operation, predecessors);
  }

  void read_machine(WordReader& words, std::uint32_t index) {
    if (index != 0) words.fail("there is a second beginning");
    recorded_.passes = words.number(0, 1 << 30);
    recorded_.dimensions = words.number(1, max_dimensions);
    DimensionSplit split{};
    split.physical = words.number(-1, max_dimensions - 1);
    split.first = words.number(1, 1 << 30);
    if (split.physical >= 0) recorded_.split = split;
    while (!words.at_end()) recorded_.graph.layer_names.push_back(words.text());
  }

  void read_place(WordReader& words, Operation& operation) {
    operation.pass = words.word(pass_words);
    operation.iteration = words.number(0, 1 << 30);
    operation.layer = words.number(-1, static_cast<int>(recorded_.graph.layer_names.size()) - 1);
    if (operation.kind == OperationKind::collective) {
      operation.collective.urgent = words.word(turn_words);
      operation.delay = words.time();
      read_collective(words, operation.collective);
    }
  }

  void read_collective(const WordReader& words, CollectiveRequest& request) {
    const Node node = trace_.nodes[recorded_.graph.size()];
    const auto type =
        std::ranges::find(comm_types, node.comm_type, &decltype(comm_types)::value_type::second);
    if (type == comm_types.end()) words.fail("the program has no such collective");
    request.kind = type->first;
    request.size = Bytes(node.comm_size);
    request.dimensions = DimensionSet(node.involved_dims);
    if ((node.has & has_comm_root) != 0) request.root = node.comm_root;
    if (node.involved_count != recorded_.dimensions || node.involved_dims >> recorded_.dimensions != 0)
      words.fail("involved_dim does not fit the beginning");
  }

  Time duration_of(const Node& node, const WordReader& words) const {
    if (node.duration_ps > static_cast<std::uint64_t>(Time::longest_input().ps()))
      words.fail("the node takes longer than 30 days");
    return Time::from_ps(static_cast<std::int64_t>(node.duration_ps));
  }

  const Trace& trace_;
  const std::string& file_;
  RecordedGraph recorded_;
};

}  // namespace

Trace trace_of(const RecordedGraph& recorded) {
  const ExecutionGraph& graph = recorded.graph;
  Trace trace;
  trace.texts = {""};
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
    Node node = node_of(recorded, graph[id]);
    node.id = id;
    trace.nodes.push_back(node, name_of(graph, graph[id]));
    trace.operations.push_back({id, operation_words(recorded, graph[id])});
    trace.first_parent.push_back(trace.parents.size());
    // Program order comes first, as data does in a trace.
    trace.data_parents.push_back(graph.predecessors(id).empty() ? 0 : 1);
    for (const ExecutionGraph::Id predecessor : graph.predecessors(id)) trace.parents.push_back(predecessor);
  }
  trace.first_parent.push_back(trace.parents.size());
  return trace;
}

RecordedGraph recorded_graph(const Trace& trace, const std::string& file) {
  return GraphReader(trace, file).read();
}

// Tables and descriptions are text.
bool looks_like_trace(std::string_view bytes) {
  constexpr std::size_t enough = 64;
  return std::ranges::any_of(bytes.substr(0, enough), [](char c) {
    return static_cast<unsigned char>(c) < ' ' &&
           std::string_view("\t\n\v\f\r").find(c) == std::string_view::npos;
  });
}

}  // namespace orrery::core::chakra
