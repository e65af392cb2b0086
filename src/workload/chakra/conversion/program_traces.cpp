#include "workload/chakra/conversion/program_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "program/members.hpp"
#include "workload/chakra/conversion/operation_words.hpp"
#include "workload/chakra/files/kinds.hpp"

namespace orrery::core::chakra {

namespace {

using Id = ExecutionGraph::Id;

template <class... Values>
void put(std::vector<std::string>& words, const Values&... values) {
  (words.push_back(fmt::format("{}", values)), ...);
}

std::vector<std::string> words_of_operation(const Operation& operation) {
  std::vector<std::string> words;
  put(words, word_of(operation_kind_words, operation.kind), word_of(pass_words, operation.pass),
      operation.iteration, operation.layer, operation.micro_batch, operation.work,
      operation.communication.ps(), operation.contention.longer.ps(), operation.contention.slows_by_ppm,
      operation.contention.within.ps());
  if (operation.kind == OperationKind::collective) {
    const CollectiveRequest& request = operation.collective;
    put(words, word_of(turn_words, request.urgent), operation.delay.ps(), request.communicator,
        request.dimensions.to_ulong(), request.root, request.efficiency,
        request.takes ? request.takes->ps() : -1);
  } else if (is_message(operation.kind)) {
    const MessageEnd& message = operation.message;
    put(words, message.peer, message.tag, message.size.count(), message.connection);
  }
  return words;
}

std::string name_of_operation(const ExecutionGraph& graph, const Operation& operation) {
  std::string name(operation.kind == OperationKind::collective
                       ? orrery::core::name_of(operation.collective.kind)
                       : word_of(operation_kind_words, operation.kind));
  if (operation.work >= 0) name = graph.work_names[static_cast<std::size_t>(operation.work)].name;
  if (operation.layer < 0) return name;
  name = fmt::format("{} {} {}", graph.layer_names[static_cast<std::size_t>(operation.layer)],
                     word_of(pass_words, operation.pass), name);
  return operation.micro_batch < 0 ? name : fmt::format("{} of micro-batch {}", name, operation.micro_batch);
}

// Returns the rank at a place of a part, whose list is empty where the part has all ranks.
RankId rank_at(const ProgramPart& part, std::uint32_t place) {
  return part.ranks.empty() ? RankId(place) : part.ranks[place];
}

}  // namespace

// Writes the nodes of one rank.
class ProgramTraceWriter {
 public:
  ProgramTraceWriter(const ProgramTraces& traces, RankId rank)
      : traces_(traces),
        rank_(rank),
        part_(traces.part_of_[rank.index()]),
        graph_(traces.program().parts[part_].graph) {}

  Trace write() {
    trace_.program = traces_.program_words(part_);
    trace_.texts = {""};
    for (Id id = 0; id < graph_.size(); ++id) write(id);
    trace_.first_parent.push_back(trace_.parents.size());
    return std::move(trace_);
  }

 private:
  void write(Id id) {
    const Operation operation = graph_[id];
    Node node = node_of(id, operation);
    node.id = id;
    trace_.nodes.push_back(node, name_of_operation(graph_, operation));
    trace_.operations.push_back({id, words_of_operation(operation)});
    trace_.first_parent.push_back(trace_.parents.size());
    const std::span<const Id> predecessors = graph_.predecessors(id);
    trace_.data_parents.push_back(static_cast<std::uint32_t>(predecessors.size()));
    for (const Id predecessor : predecessors) trace_.parents.push_back(predecessor);
    if (operation.kind != OperationKind::collective && operation.kind != OperationKind::send) return;
    if (last_communication_ && std::ranges::find(predecessors, *last_communication_) == predecessors.end())
      trace_.parents.push_back(*last_communication_);
    last_communication_ = id;
  }

  Node node_of(Id id, const Operation& operation) {
    Node node;
    if (operation.kind == OperationKind::collective) {
      ask(operation.collective, node);
    } else if (is_message(operation.kind)) {
      send_or_receive(id, operation, node);
    } else {
      const bool takes_time =
          operation.kind == OperationKind::compute || operation.kind == OperationKind::transition;
      node.type = NodeType::compute;
      node.on_cpu = operation.kind != OperationKind::compute;
      node.duration_ps = takes_time ? static_cast<std::uint64_t>(operation.duration.ps()) : 0;
      node.duration_us = (node.duration_ps + 500'000) / 1'000'000;
      node.has = has_duration_ps;
    }
    return node;
  }

  void ask(const CollectiveRequest& request, Node& node) {
    node.type = NodeType::collective;
    node.has = has_comm_type | has_comm_size;
    node.comm_size = request.size.count();
    node.comm_type =
        std::ranges::find(comm_types, request.kind, &decltype(comm_types)::value_type::first)->second;
    if (const int group = traces_.group_of(rank_, request); group > 0) {
      node.has |= has_pg_name;
      node.pg_name = number_of(std::to_string(group));
    }
    if (is_symmetric(request.kind) || request.kind == CollectiveKind::barrier) return;
    node.has |= has_comm_root;
    const Communicator& communicator = traces_.program().communicators[request.communicator];
    node.comm_root = member_at(request.root, rank_, request, communicator).value();
  }

  void send_or_receive(Id id, const Operation& operation, Node& node) {
    const bool sends = operation.kind == OperationKind::send;
    const ProgramPart& other = traces_.program().parts[operation.message.peer];
    const RankId peer = rank_at(other, traces_.place_in_[rank_.index()]);
    node.type = sends ? NodeType::send : NodeType::receive;
    node.has = has_comm_size | has_comm_tag | has_comm_src | has_comm_dst;
    node.comm_size = sends ? operation.message.size.count() : traces_.received_[part_].at(id).count();
    node.comm_tag = operation.message.tag;
    node.comm_src = (sends ? rank_ : peer).value();
    node.comm_dst = (sends ? peer : rank_).value();
  }

  std::uint32_t number_of(const std::string& text) {
    const auto [known, is_new] = texts_.try_emplace(text, static_cast<std::uint32_t>(trace_.texts.size()));
    if (is_new) trace_.texts.push_back(text);
    return known->second;
  }

  const ProgramTraces& traces_;
  const RankId rank_;
  const std::uint32_t part_;
  const ExecutionGraph& graph_;
  Trace trace_;
  std::map<std::string, std::uint32_t> texts_;
  std::optional<Id> last_communication_;
};

ProgramTraces::ProgramTraces(const RecordedProgram& recorded)
    : recorded_(recorded),
      part_of_(parts_of_ranks(recorded.program, recorded.ranks)),
      place_in_(recorded.ranks, 0) {
  for (const ProgramPart& part : program().parts) {
    for (std::uint32_t place = 0; place < part.size(); ++place)
      place_in_[rank_at(part, place).index()] = place;
    for (Id id = 0; id < part.graph.size(); ++id)
      if (part.graph[id].background)
        throw std::invalid_argument("has a parameter server, whose work goes on beside that of its rank");
    for (Id id = 0; id < part.graph.size(); ++id)
      if (is_message(part.graph.kind(id)) &&
          program().parts[part.graph.message(id).peer].size() != part.size())
        throw std::invalid_argument("has messages between parts of different sizes");
  }
  number_groups();
  match_messages();
}

Trace ProgramTraces::of_rank(RankId rank) const {
  return ProgramTraceWriter(*this, rank).write();
}

void ProgramTraces::number_groups() {
  std::map<std::vector<RankId>, int> known;
  for (const ProgramPart& part : program().parts) {
    for (const CollectiveRequest& request : part.graph.collectives()) {
      std::vector<int>& numbers =
          group_of_rank_
              .try_emplace({request.communicator, request.dimensions.to_ulong()}, recorded_.ranks, -1)
              .first->second;
      const Communicator& communicator = program().communicators[request.communicator];
      for (std::uint32_t place = 0; place < part.size(); ++place) {
        const RankId rank = rank_at(part, place);
        if (numbers[rank.index()] >= 0) continue;
        const std::vector<RankId> members = members_with(rank, request, communicator);
        const bool all = members.size() == recorded_.ranks;
        const int next = static_cast<int>(groups_.size()) + 1;
        const int number = all ? 0 : known.try_emplace(members, next).first->second;
        if (number == next) std::ranges::transform(members, std::back_inserter(groups_[number]), npu_of);
        for (const RankId member : members) numbers[member.index()] = number;
      }
    }
  }
}

int ProgramTraces::group_of(RankId rank, const CollectiveRequest& request) const {
  return group_of_rank_.at({request.communicator, request.dimensions.to_ulong()})[rank.index()];
}

// The n-th receive with some tag gets the n-th send of that tag.
void ProgramTraces::match_messages() {
  using Lane = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // sender, receiver, tag
  std::map<Lane, std::vector<Bytes>> sent;
  const auto for_messages = [&](OperationKind kind, const auto& visit) {
    for (std::uint32_t part = 0; part < program().parts.size(); ++part) {
      const ExecutionGraph& graph = program().parts[part].graph;
      for (Id id = 0; id < graph.size(); ++id)
        if (graph.kind(id) == kind) visit(part, id, graph.message(id));
    }
  };
  for_messages(OperationKind::send, [&](std::uint32_t part, Id, const MessageEnd& message) {
    sent[{part, message.peer, message.tag}].push_back(message.size);
  });
  received_.resize(program().parts.size());
  std::map<Lane, std::size_t> next;
  for_messages(OperationKind::receive, [&](std::uint32_t part, Id id, const MessageEnd& message) {
    const Lane lane{message.peer, part, message.tag};
    const std::vector<Bytes>& sizes = sent[lane];
    const std::size_t place = next[lane]++;
    if (place >= sizes.size()) throw std::invalid_argument("awaits a message that nobody sends");
    received_[part][id] = sizes[place];
  });
}

std::vector<std::string> ProgramTraces::program_words(std::uint32_t number) const {
  const ProgramPart& part = program().parts[number];
  std::vector<std::string> words;
  put(words, 2, recorded_.ranks, recorded_.passes, program().parts.size(), number, part.name,
      part.micro_batches_in_flight, part.hides_end ? static_cast<std::int64_t>(part.hides_end->first) : -1,
      part.hides_end ? static_cast<std::int64_t>(part.hides_end->second) : -1, part.graph.layer_names.size());
  words.insert(words.end(), part.graph.layer_names.begin(), part.graph.layer_names.end());
  put(words, part.graph.work_names.size());
  for (const WorkName& work : part.graph.work_names) put(words, work.name, work.kind);
  put(words, program().communicators.size());
  for (const Communicator& communicator : program().communicators) {
    put(words, communicator.name, communicator.dimensions.size());
    for (const LogicalDimension& dimension : communicator.dimensions)
      put(words, dimension.stride, dimension.size, dimension.physical);
  }
  return words;
}

}  // namespace orrery::core::chakra
