#include "report/timeline/programs/timeline_rows.hpp"

#include <fmt/format.h>

#include <concepts>
#include <optional>

#include "base/diagnostics/words.hpp"
#include "report/profile/kernel_kinds.hpp"

namespace orrery::core {

namespace {

// Operations of other kinds have no row.
constexpr std::array<EnumName<OperationKind>, 6> operation_words{{
    {"compute", OperationKind::compute},
    {"collective", OperationKind::collective},
    {"send", OperationKind::send},
    {"receive", OperationKind::receive},
    {"load", OperationKind::load},
    {"store", OperationKind::store},
}};

// Returns what a cell holds, which is nothing unless it counts something.
template <std::integral Number>
std::optional<Number> unless_none(Number number) {
  return number > 0 ? std::optional(number) : std::nullopt;
}
std::optional<std::string_view> unless_none(std::string_view words) {
  return words.empty() ? std::nullopt : std::optional(words);
}
template <class Value>
std::optional<Value> only_if(bool condition, Value value) {
  return condition ? std::optional(value) : std::nullopt;
}

constexpr Column<TimelineRow> timeline_columns[] = {
    {"part", "",
     "Name of the part, such as `stage 0`. For execution traces it names the ranks, and it is `all` where "
     "all ranks do the same.",
     [](auto& row) { return row.part.name.empty() ? std::string_view("all") : row.part.name; }, "",
     Form::csv},
    {"operation", "", "Kind of the operation: `compute`, `collective`, `send` or `receive`.",
     [](auto& row) { return word_of(operation_words, row.operation.kind); }, "", Form::csv},
    {"layer", "",
     "Name of the layer. In training steps it names the part of the model that is passed, or what is "
     "exchanged; in execution traces it names the node.",
     [](auto& row) { return unless_none(row.layer); }},
    {"pass", "",
     "Pass of the training: `forward`, `input-gradient` or `weight-gradient`; in training steps `forward`, "
     "`backward` or `update`.",
     [](auto& row) { return unless_none(row.pass); }},
    {"iteration", "", "Number of the training iteration, from 0.",
     [](auto& row) { return only_if(!row.is_named(), row.operation.iteration); }},
    {"micro_batch", "",
     "Number of the micro-batch, from 0. The cell is empty for operations that belong to none.",
     [](auto& row) { return only_if(row.operation.micro_batch >= 0, row.operation.micro_batch); }},
    {"start_us", "us", "Time at which the operation starts.", [](auto& row) { return row.interval.start; },
     "", Form::csv},
    {"end_us", "us", "Time at which the operation ends. A send ends when the message has arrived.",
     [](auto& row) { return row.interval.end; }, "", Form::csv},
    {"collective", "", "Kind of the collective, such as `all-reduce`.",
     [](auto& row) { return unless_none(row.collective()); }},
    {"bytes", "bytes",
     "Size of the collective on one rank, of the message that is sent, or of the memory access.",
     [](auto& row) { return unless_none(row.bytes().count()); }},
    {"message", "",
     "Number of the message, from 1. It is the same where the message is sent and where it is received.",
     [](auto& row) { return unless_none(row.message); }, "", Form::csv},
};

constexpr Column<TimelineRow> timeline_fact_columns[] = {
    {"node", "", "Id of the node in the execution trace.",
     [](auto& row) { return row.is_named() ? std::optional(row.part.graph.number(row.id)) : std::nullopt; },
     "", Form::json},
    {"operator", "", "Name of the operator. It is given for training steps whose operators are told apart.",
     [](auto& row) { return row.work ? std::optional(std::string_view(row.work->name)) : std::nullopt; }, "",
     Form::json},
    {"kernel_kind", "", "Kind of the kernel, such as `matrix product`.",
     [](auto& row) {
       return row.work ? std::optional(words_of(kind_of_work(*row.work)).word) : std::nullopt;
     },
     "", Form::json},
    {"group", "", "Name of the group of ranks that take part in the collective.",
     [](auto& row) { return unless_none(row.group()); }, "", Form::json},
    {"group_size", "", "Number of ranks in this group.",
     [](auto& row) { return unless_none(row.group_size()); }, "", Form::json},
    {"peer", "", "Part or rank to which the message goes, or from which it comes.",
     [](auto& row) {
       if (!row.is_message()) return Cell();
       const std::uint32_t peer = row.operation.message.peer;
       return row.program.messages_name_ranks ? Cell(peer) : Cell(row.program.parts[peer].name);
     },
     "", Form::json},
    {"tag", "", "Tag of the message.",
     [](auto& row) { return row.is_message() ? std::optional(row.operation.message.tag) : std::nullopt; }, "",
     Form::json},
};

}  // namespace

const Table<TimelineRow> timeline_table(timeline_columns);
const Table<TimelineRow> timeline_fact_table(timeline_fact_columns);

std::string_view TimelineRow::collective() const {
  return is_collective() ? name_of(operation.collective.kind) : std::string_view();
}

std::string_view TimelineRow::group() const {
  return is_collective() ? std::string_view(program.communicators[operation.collective.communicator].name)
                         : std::string_view();
}

std::size_t TimelineRow::group_size() const {
  if (!is_collective()) return 0;
  const CollectiveRequest& request = operation.collective;
  const Communicator& communicator = program.communicators[request.communicator];
  if (!communicator.members.empty()) return communicator.members.size();
  std::size_t size = 1;
  for (std::size_t d = 0; d < communicator.dimensions.size(); ++d)
    if (request.dimensions[d]) size *= static_cast<std::size_t>(communicator.dimensions[d].size);
  return size;
}

std::string TimelineRow::name() const {
  if (is_named()) {
    const std::string_view of_node = part.graph.name(id);
    return of_node.empty() ? fmt::format("node {}", part.graph.number(id)) : std::string(of_node);
  }
  if (work) return fmt::format("{} {}", work->name, pass);
  const std::string of_layer = fmt::format("{} {}", layer, pass);
  return is_collective() ? fmt::format("{} {}", collective(), of_layer) : of_layer;
}

bool has_row(OperationKind kind) {
  return !word_of(operation_words, kind).empty();
}

TimelineRow row_of(const Program& program, const ProgramPart& part, const std::vector<Interval>& operations,
                   ExecutionGraph::Id id, const PassWords& passes) {
  const Operation operation = part.graph[id];
  std::string_view layer, pass;
  if (operation.layer >= 0) layer = part.graph.layer_names[static_cast<std::size_t>(operation.layer)];
  if (!part.graph.is_named()) pass = passes[static_cast<std::size_t>(operation.pass)];
  return {program,
          part,
          operation,
          id,
          layer,
          pass,
          operations[id],
          0,
          operation.work < 0 ? nullptr : &part.graph.work_names[static_cast<std::size_t>(operation.work)]};
}

}  // namespace orrery::core
