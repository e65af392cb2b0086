#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "workload/chakra/conversion/operation_words.hpp"
#include "workload/chakra/conversion/program_traces.hpp"
#include "workload/chakra/files/byte_source.hpp"
#include "workload/chakra/files/kinds.hpp"
#include "workload/chakra/files/trace_reader.hpp"
#include "workload/chakra/files/trace_writer.hpp"

namespace orrery::core::chakra {

namespace {

using Id = ExecutionGraph::Id;

// What operations compute (WorkName::kind).
constexpr std::array<std::string_view, 6> kinds_of_work{"matrix product", "attention", "convolution",
                                                        "elementwise",    "optimizer", "other"};

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
  reader.number(2, 2);  // the version of this format
  out.recorded.ranks = reader.number<std::uint32_t>(1, largest_number);
  out.recorded.passes = reader.number(0, largest_number);
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
    operation.contention.longer = reader.time();
    operation.contention.slows_by_ppm = reader.number<std::uint32_t>(0, 1'000'000);
    operation.contention.within = reader.time();
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
  std::vector<std::vector<RankId>> ranks_of_part;
  for (const RankId rank : first_ids<RankId>(files.size())) {
    const std::string& file = files[rank.index()];
    ProgramWords words = parse(program_words_of_file(file), file);
    if (rank == RankId(0)) {
      recorded = words.recorded;
      ranks_of_part.resize(recorded.program.parts.size());
      if (recorded.ranks != files.size())
        throw InputError({files[0]},
                         fmt::format("was written together with the traces of {} ranks, and there are {}; "
                                     "give all of them",
                                     recorded.ranks, files.size()));
    }
    if (words.part >= ranks_of_part.size())
      throw InputError({file}, "is of another program than " + files[0]);
    ranks_of_part[words.part].push_back(rank);
    first_of_part.try_emplace(words.part, file, std::move(words));
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
    for (const RankId rank : first_ids<RankId>(files.size())) {
      if (!holds(files[rank.index()], write_trace(expected.of_rank(rank))))
        throw InputError({files[rank.index()]},
                         "has been changed since `orrery convert` wrote it, or belongs to another rank; "
                         "write the traces again");
      if (told) told(rank.index() + 1, files.size(), "traces read");
    }
  } catch (const std::invalid_argument& wrong) {
    throw InputError({files[0]}, std::string("is of a program that ") + wrong.what());
  }
  return recorded;
}

}  // namespace orrery::core::chakra
