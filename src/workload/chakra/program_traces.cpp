#include "workload/chakra/program_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/diagnostics.hpp"
#include "program/members.hpp"
#include "workload/chakra/byte_source.hpp"
#include "workload/chakra/kinds.hpp"
#include "workload/chakra/operation_words.hpp"
#include "workload/chakra/trace_reader.hpp"
#include "workload/chakra/trace_writer.hpp"

namespace orrery::chakra {

namespace {

using Id = ExecutionGraph::Id;

constexpr std::array<Word<bool>, 2> yes_or_no{{{"yes", true}, {"no", false}}};
// What operations compute (WorkName::kind).
constexpr std::array<std::string_view, 6> kinds_of_work{"matrix product", "attention", "convolution",
                                                        "elementwise",    "optimizer", "other"};

template <class... Values>
void put(std::vector<std::string>& words, const Values&... values) {
  (words.push_back(fmt::format("{}", values)), ...);
}

std::vector<std::string> operation_words(const Operation& operation) {
  std::vector<std::string> words;
  put(words, word_of(operation_kind_words, operation.kind), word_of(pass_words, operation.pass),
      operation.iteration, operation.layer, operation.micro_batch, operation.work,
      operation.communication.ps());
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
                       ? orrery::name_of(operation.collective.kind)
                       : word_of(operation_kind_words, operation.kind));
  if (operation.work >= 0) name = graph.work_names[static_cast<std::size_t>(operation.work)].name;
  if (operation.layer < 0) return name;
  name = fmt::format("{} {} {}", graph.layer_names[static_cast<std::size_t>(operation.layer)],
                     word_of(pass_words, operation.pass), name);
  return operation.micro_batch < 0 ? name : fmt::format("{} of micro-batch {}", name, operation.micro_batch);
}

// Returns the rank at a place of a part, whose list is empty where the part has all ranks.
std::uint32_t rank_at(const ProgramPart& part, std::uint32_t place) {
  return part.ranks.empty() ? place : part.ranks[place];
}

}  // namespace

// Writes the nodes of one rank.
class ProgramTraceWriter {
 public:
  ProgramTraceWriter(const ProgramTraces& traces, std::uint32_t rank)
      : traces_(traces),
        rank_(rank),
        part_(traces.part_of_[rank]),
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
    trace_.operations.push_back({id, operation_words(operation)});
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
    node.comm_root =
        member_at(request.root, rank_, request, traces_.program().communicators[request.communicator]);
  }

  void send_or_receive(Id id, const Operation& operation, Node& node) {
    const bool sends = operation.kind == OperationKind::send;
    const ProgramPart& other = traces_.program().parts[operation.message.peer];
    const std::uint32_t peer = rank_at(other, traces_.place_in_[rank_]);
    node.type = sends ? NodeType::send : NodeType::receive;
    node.has = has_comm_size | has_comm_tag | has_comm_src | has_comm_dst;
    node.comm_size = sends ? operation.message.size.count() : traces_.received_[part_].at(id).count();
    node.comm_tag = operation.message.tag;
    node.comm_src = sends ? rank_ : peer;
    node.comm_dst = sends ? peer : rank_;
  }

  std::uint32_t number_of(const std::string& text) {
    const auto [known, is_new] = texts_.try_emplace(text, static_cast<std::uint32_t>(trace_.texts.size()));
    if (is_new) trace_.texts.push_back(text);
    return known->second;
  }

  const ProgramTraces& traces_;
  const std::uint32_t rank_, part_;
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
    for (std::uint32_t place = 0; place < part.size(); ++place) place_in_[rank_at(part, place)] = place;
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

Trace ProgramTraces::of_rank(std::uint32_t rank) const {
  return ProgramTraceWriter(*this, rank).write();
}

void ProgramTraces::number_groups() {
  std::map<std::vector<std::uint32_t>, int> known;
  for (const ProgramPart& part : program().parts) {
    for (const CollectiveRequest& request : part.graph.collectives()) {
      std::vector<int>& numbers =
          group_of_rank_
              .try_emplace({request.communicator, request.dimensions.to_ulong()}, recorded_.ranks, -1)
              .first->second;
      const Communicator& communicator = program().communicators[request.communicator];
      for (std::uint32_t place = 0; place < part.size(); ++place) {
        const std::uint32_t rank = rank_at(part, place);
        if (numbers[rank] >= 0) continue;
        const std::vector<std::uint32_t> members = members_with(rank, request, communicator);
        const bool all = members.size() == recorded_.ranks;
        const int next = static_cast<int>(groups_.size()) + 1;
        const int number = all ? 0 : known.try_emplace(members, next).first->second;
        if (number == next) groups_[number] = {members.begin(), members.end()};
        for (const std::uint32_t member : members) numbers[member] = number;
      }
    }
  }
}

int ProgramTraces::group_of(std::uint32_t rank, const CollectiveRequest& request) const {
  return group_of_rank_.at({request.communicator, request.dimensions.to_ulong()})[rank];
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
  put(words, 1, recorded_.ranks, recorded_.passes, word_of(yes_or_no, program().parts_train_alike),
      program().parts.size(), number, part.name, part.micro_batches_in_flight,
      part.hides_end ? static_cast<std::int64_t>(part.hides_end->first) : -1,
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

namespace {

constexpr int largest_number = 1 << 30;

// What the metadata of a rank's trace say.
struct ProgramWords {
  RecordedProgram recorded;  // without graphs and ranks
  std::uint32_t part = 0;
  std::string name;
  double micro_batches_in_flight = 0;
  std::optional<std::pair<Id, Id>> hides_end;
  std::vector<std::string> layer_names;
  std::vector<WorkName> work_names;
};

std::uint32_t count_of(WordReader& reader) {
  return reader.number<std::uint32_t>(0, largest_number);
}

ProgramWords parse(const std::vector<std::string>& words, const std::string& file) {
  WordReader reader(words, "the attribute orrery_program", file);
  ProgramWords out;
  reader.number(1, 1);  // the version of this format
  out.recorded.ranks = reader.number<std::uint32_t>(1, largest_number);
  out.recorded.passes = reader.number(0, largest_number);
  out.recorded.program.parts_train_alike = reader.word(yes_or_no);
  const std::uint32_t parts = reader.number<std::uint32_t>(1, out.recorded.ranks);
  out.recorded.program.parts.resize(parts);
  out.part = reader.number<std::uint32_t>(0, parts - 1);
  out.name = reader.text();
  out.micro_batches_in_flight = reader.number(0.0, std::numeric_limits<double>::max());
  const auto first = reader.number<std::int64_t>(-1, largest_number);
  const auto last = reader.number<std::int64_t>(-1, largest_number);
  if (first >= 0 && last >= first) out.hides_end = {static_cast<Id>(first), static_cast<Id>(last)};
  for (std::uint32_t left = count_of(reader); left > 0; --left) out.layer_names.push_back(reader.text());
  for (std::uint32_t left = count_of(reader); left > 0; --left) {
    const std::string& name = reader.text();
    const std::string& kind = reader.text();
    const auto* const known = std::ranges::find(kinds_of_work, kind);
    if (known == kinds_of_work.end()) reader.fail(backquoted(kind) + " is no kind of work");
    out.work_names.push_back({name, *known});
  }
  for (std::uint32_t left = count_of(reader); left > 0; --left) {
    Communicator& communicator = out.recorded.program.communicators.emplace_back();
    communicator.name = reader.text();
    for (int dimensions = reader.number(0, max_dimensions); dimensions > 0; --dimensions) {
      LogicalDimension dimension;
      dimension.stride = reader.number(1, largest_number);
      dimension.size = reader.number(1, largest_number);
      dimension.physical = reader.number(-1, max_dimensions - 1);
      const std::int64_t group = std::int64_t{dimension.stride} * dimension.size;
      if (group > out.recorded.ranks || out.recorded.ranks % group != 0)
        reader.fail("a group does not fit the ranks");
      communicator.dimensions.push_back(dimension);
    }
  }
  if (!reader.at_end()) reader.fail("it does not end where it has to");
  return out;
}

// Reads the graph of a part from the trace of one of its ranks.
class PartReader {
 public:
  PartReader(const Trace& trace, const ProgramWords& words, const std::string& file)
      : trace_(trace), program_(words.recorded.program), words_(words), file_(file) {}

  ExecutionGraph read() {
    graph_.layer_names = words_.layer_names;
    graph_.work_names = words_.work_names;
    if (trace_.operations.size() != trace_.nodes.size())
      throw InputError({file_},
                       "not every node says which operation it is (orrery_operation); write the traces "
                       "again with `orrery convert`");
    for (std::uint32_t number = 0; number < trace_.nodes.size(); ++number) read(number);
    if (words_.hides_end && words_.hides_end->second >= graph_.size())
      throw InputError({file_},
                       "the attribute orrery_program is damaged: it names operations that are not there");
    return std::move(graph_);
  }

 private:
  void read(std::uint32_t number) {
    WordReader reader(trace_.operations[number].words,
                      fmt::format("node {}: its attribute orrery_operation", number), file_);
    const Node node = trace_.nodes[number];
    if (node.id != number) reader.fail("the node stands at another place");
    Operation operation;
    operation.kind = reader.word(operation_kind_words);
    operation.pass = reader.word(pass_words);
    operation.iteration = reader.number(0, largest_number);
    operation.layer = reader.number(-1, static_cast<int>(graph_.layer_names.size()) - 1);
    operation.micro_batch = reader.number(-1, largest_number);
    operation.work = reader.number<std::int16_t>(
        -1, static_cast<std::int16_t>(static_cast<int>(graph_.work_names.size()) - 1));
    operation.communication = reader.time();
    if (node.duration_ps > static_cast<std::uint64_t>(Time::longest_input().ps()))
      reader.fail("the node takes longer than 30 days");
    operation.duration = Time::from_ps(static_cast<std::int64_t>(node.duration_ps));
    if (operation.kind == OperationKind::collective) read_collective(reader, node, operation);
    if (is_message(operation.kind)) read_message(reader, operation.message);
    if (!reader.at_end()) reader.fail("it does not end where it has to");
    add(reader, number, operation);
  }

  void read_collective(WordReader& reader, const Node& node, Operation& operation) const {
    CollectiveRequest& request = operation.collective;
    request.urgent = reader.word(turn_words);
    operation.delay = reader.time();
    request.communicator =
        reader.number<std::uint32_t>(0, static_cast<std::uint32_t>(program_.communicators.size()) - 1);
    request.dimensions = DimensionSet(reader.number<unsigned long>(0, (1ul << max_dimensions) - 1));
    request.root = reader.number<std::uint32_t>(0, words_.recorded.ranks - 1);
    request.efficiency = reader.number(std::numeric_limits<double>::min(), 1e9);
    const auto takes = reader.number<std::int64_t>(-1, Time::longest_input().ps());
    if (takes >= 0) request.takes = Time::from_ps(takes);
    const auto type =
        std::ranges::find(comm_types, node.comm_type, &decltype(comm_types)::value_type::second);
    if (node.type != NodeType::collective || type == comm_types.end())
      reader.fail("the node is of another type");
    request.kind = type->first;
    request.size = Bytes(node.comm_size);
    if (request.size > Bytes::largest_input()) reader.fail("the node has more than 8 PiB");
  }

  void read_message(WordReader& reader, MessageEnd& message) const {
    message.peer = reader.number<std::uint32_t>(0, static_cast<std::uint32_t>(program_.parts.size()) - 1);
    message.tag = reader.number<std::uint32_t>(0, largest_number);
    message.size = Bytes(reader.number<std::uint64_t>(0, Bytes::largest_input().count()));
    message.connection = reader.number<std::uint32_t>(0, largest_number);
  }

  // Data dependencies are those of the program; the others are for simulators with one slot for
  // communication.
  void add(const WordReader& reader, std::uint32_t number, const Operation& operation) {
    std::vector<Id> predecessors;
    for (const std::uint64_t parent : trace_.parents_of(number).first(trace_.data_parents[number])) {
      if (parent >= number) reader.fail(fmt::format("the node waits for node {}, which comes later", parent));
      predecessors.push_back(static_cast<Id>(parent));
    }
    if (predecessors.empty() != (number == 0)) reader.fail("only the beginning waits for nothing");
    graph_.add(operation, predecessors);
  }

  const Trace& trace_;
  const Program& program_;
  const ProgramWords& words_;
  const std::string& file_;
  ExecutionGraph graph_;
};

// Compares a file, which may be compressed, with the bytes that it has to hold.
bool holds(const std::string& file, std::string_view bytes) {
  FileSource compressed(file);
  std::string block(1 << 16, '\0');
  std::size_t count = compressed.read(block.data(), block.size());
  std::optional<GzipSource> unpacked;
  const std::string first = block.substr(0, count);
  if (first.starts_with("\x1f\x8b")) {
    unpacked.emplace(compressed, first, file);
    count = unpacked->read(block.data(), block.size());
  }
  while (count > 0) {
    if (std::string_view(block).substr(0, count) != bytes.substr(0, count)) return false;
    bytes.remove_prefix(count);
    count =
        unpacked ? unpacked->read(block.data(), block.size()) : compressed.read(block.data(), block.size());
  }
  return bytes.empty();
}

}  // namespace

RecordedProgram read_program_traces(const std::vector<std::string>& files, const StepListener& told) {
  RecordedProgram recorded;
  std::map<std::uint32_t, std::pair<std::string, ProgramWords>> first_of_part;
  std::vector<std::vector<std::uint32_t>> ranks_of_part;
  for (std::uint32_t rank = 0; rank < files.size(); ++rank) {
    ProgramWords words = parse(program_words_of_file(files[rank]), files[rank]);
    if (rank == 0) {
      recorded = words.recorded;
      ranks_of_part.resize(recorded.program.parts.size());
      if (recorded.ranks != files.size())
        throw InputError({files[0]},
                         fmt::format("was written together with the traces of {} ranks, and there are {}; "
                                     "give all of them",
                                     recorded.ranks, files.size()));
    }
    if (words.part >= ranks_of_part.size())
      throw InputError({files[rank]}, "is of another program than " + files[0]);
    ranks_of_part[words.part].push_back(rank);
    first_of_part.try_emplace(words.part, files[rank], std::move(words));
  }
  for (std::uint32_t number = 0; number < recorded.program.parts.size(); ++number) {
    const auto found = first_of_part.find(number);
    if (found == first_of_part.end())
      throw InputError({files[0]},
                       fmt::format("no rank has part {} of the program; write the traces again with "
                                   "`orrery convert`",
                                   number));
    const auto& [file, words] = found->second;
    ProgramPart& part = recorded.program.parts[number];
    part.name = words.name;
    part.micro_batches_in_flight = words.micro_batches_in_flight;
    part.hides_end = words.hides_end;
    part.graph = PartReader(read_trace_file(file, {.tensors = false}), words, file).read();
    part.ranks = ranks_of_part[number];
  }
  try {
    const ProgramTraces expected(recorded);
    for (std::uint32_t rank = 0; rank < files.size(); ++rank) {
      if (!holds(files[rank], write_trace(expected.of_rank(rank))))
        throw InputError({files[rank]},
                         "has been changed since `orrery convert` wrote it, or belongs to another rank; "
                         "write the traces again");
      if (told) told(rank + 1, files.size(), "traces read");
    }
  } catch (const std::invalid_argument& wrong) {
    throw InputError({files[0]}, std::string("is of a program that ") + wrong.what());
  }
  return recorded;
}

}  // namespace orrery::chakra
