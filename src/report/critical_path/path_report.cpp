#include "report/critical_path/path_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace orrery::core {
namespace {

Operation operation_of(const PathRow& row) {
  return row.context.program.parts[row.step.part].graph[row.step.operation];
}

std::string_view layer_of(const PathRow& row) {
  const ExecutionGraph& graph = row.context.program.parts[row.step.part].graph;
  if (graph.is_named()) return graph.name(row.step.operation);
  const Operation operation = operation_of(row);
  if (operation.layer < 0) return {};
  return graph.layer_names[static_cast<std::size_t>(operation.layer)];
}

std::string_view pass_of(const PathRow& row) {
  if (operation_of(row).layer < 0) return {};
  return row.context.passes[static_cast<std::size_t>(operation_of(row).pass)];
}

// Returns the collective that the step is of; null: it is of none.
const CollectiveRequest* request_of(const PathRow& row) {
  if (row.step.within) return row.step.within;
  const ExecutionGraph& graph = row.context.program.parts[row.step.part].graph;
  return graph.kind(row.step.operation) == OperationKind::collective ? &graph.collective(row.step.operation)
                                                                     : nullptr;
}

std::string_view collective_of(const PathRow& row) {
  const CollectiveRequest* const request = request_of(row);
  return request ? name_of(request->kind) : std::string_view();
}

std::string_view group_of(const PathRow& row) {
  const CollectiveRequest* const request = request_of(row);
  return request ? std::string_view(row.context.program.communicators[request->communicator].name)
                 : std::string_view();
}

// Returns the name of the dimension through which the data passes. A library's collective passes all
// dimensions of its group.
std::string_view dimension_of(const PathRow& row) {
  if (row.step.dimension < 0) return {};
  auto left = static_cast<std::size_t>(row.step.dimension);
  for (const Communicator& communicator : row.context.program.communicators) {
    if (left < communicator.dimensions.size()) {
      const int physical = communicator.dimensions[left].physical;
      return physical < 0
                 ? "whole machine"
                 : std::string_view(row.context.topology.dimensions[static_cast<std::size_t>(physical)].name);
    }
    left -= communicator.dimensions.size();
  }
  return {};
}

std::string_view part_of(const PathRow& row) {
  const std::string& name = row.context.program.parts[row.step.part].name;
  return name.empty() ? "all" : std::string_view(name);
}

std::string activity_of(const PathRow& row) {
  const std::string_view kind = name_of(row.step.kind), collective = collective_of(row);
  if (row.step.kind == PathKind::collective) return std::string(collective);
  if (row.step.kind == PathKind::queue) return fmt::format("queue of {}", collective);
  return std::string(kind);
}

// Returns what communicates and where; an empty text for a step that is no communication.
std::string communication_of(const PathRow& row) {
  if (row.step.kind == PathKind::message) return "message";
  if (!request_of(row) || row.step.kind == PathKind::transition) return {};
  const std::string_view where = dimension_of(row).empty() ? group_of(row) : dimension_of(row);
  return where.empty() ? std::string(collective_of(row)) : fmt::format("{}, {}", collective_of(row), where);
}

constexpr Column<PathRow> critical_path_columns[] = {
    {"run", "", "Name of the run.", [](auto& row) { return row.context.run; }},
    {"start_us", "us", "Time at which the step begins, which is when the step before it ends.",
     [](auto& row) { return row.step.interval.start; }},
    {"end_us", "us", "Time at which the step ends.", [](auto& row) { return row.step.interval.end; }},
    {"part", "", "Name of the part, such as `stage 0`. It is `all` where all ranks do the same.",
     [](auto& row) { return part_of(row); }},
    {"rank", "", "Rank that computes or sends, or that came to the collective last.",
     [](auto& row) { return row.step.rank; }},
    {"kind", "",
     "What happens in the step. `compute`: an NPU computes. `transition`: the program goes to its next "
     "state, or the end of a collective is delayed. `collective`: data of a collective is under way. "
     "`queue`: a part of a collective waits, and nothing that is known stands in its way. `message`: a "
     "message between parts or ranks is under way. `memory`: a remote memory serves an access.",
     [](auto& row) { return name_of(row.step.kind); }},
    {"layer", "",
     "Name of the layer. In training steps it names the part of the model, or what is exchanged; in "
     "execution traces it names the node.",
     [](auto& row) { return layer_of(row); }},
    {"pass", "",
     "Pass of the training: `forward`, `input-gradient` or `weight-gradient`; in training steps `forward`, "
     "`backward` or `update`.",
     [](auto& row) { return pass_of(row); }},
    {"iteration", "", "Number of the training iteration, from 0.",
     [](auto& row) {
       const bool is_named = row.context.program.parts[row.step.part].graph.is_named();
       return is_named ? std::nullopt : std::optional(operation_of(row).iteration);
     }},
    {"micro_batch", "",
     "Number of the micro-batch, from 0. The cell is empty for operations that belong to none.",
     [](auto& row) {
       const std::int32_t number = operation_of(row).micro_batch;
       return number < 0 ? std::nullopt : std::optional(number);
     }},
    {"collective", "", "Kind of the collective, such as `all-reduce`.",
     [](auto& row) { return collective_of(row); }},
    {"group", "", "Name of the group of ranks that take part in the collective.",
     [](auto& row) { return group_of(row); }},
    {"dimension", "",
     "Dimension of the network that the data passes. The cell is empty where that is not known.",
     [](auto& row) { return dimension_of(row); }},
};

constexpr Column<PathShare> path_share_columns[] = {
    {"run", "", "Name of the run.", [](auto& row) { return row.run; }},
    {"by", "",
     "What the steps have in common: their `activity`, `layer`, `communication`, `part` or `rank`. With "
     "`link` it is the busiest link that the communication passes. `computing` divides the path's "
     "computations into the time that an ideal device would take and the times that are "
     "[lost](#path-operatorscsv) in addition.",
     [](auto& row) { return row.by; }},
    {"name", "", "Name of the thing that they have in common.",
     [](auto& row) { return std::string_view(row.name); }, "name"},
    {"time_us", "us", "Time of these steps.", [](auto& row) { return row.time; }, "time"},
    {"share", "share", "That time as a share of the path's length.",
     [](auto& row) {
       return Real{row.share, 6};
     },
     "share"},
    {"steps", "", "Number of these steps.", [](auto& row) { return row.steps; }, "steps"},
};

struct Aspect {
  std::string_view name;
  std::string (*of)(const PathRow& row);  // without text where it does not apply
};

constexpr std::array<Aspect, 5> aspects{{
    {"activity", activity_of},
    {"layer", [](const PathRow& row) { return std::string(layer_of(row)); }},
    {"communication", communication_of},
    {"part", [](const PathRow& row) { return std::string(part_of(row)); }},
    {"rank", [](const PathRow& row) { return fmt::format("rank {}", row.step.rank.value()); }},
}};

std::vector<PathShare> shares_by(const Aspect& aspect, const PathContext& context,
                                 const std::vector<PathStep>& path) {
  std::map<std::string, PathShare> by_name;
  const double length = path.empty() ? 0 : (path.back().interval.end - path.front().interval.start).ns();
  for (const PathStep& step : path) {
    const std::string name = aspect.of({context, step});
    if (name.empty()) continue;
    PathShare& share = by_name.try_emplace(name, PathShare{context.run, aspect.name, name}).first->second;
    share.time += step.interval.end - step.interval.start;
    ++share.steps;
  }
  std::vector<PathShare> shares;
  for (auto& [name, share] : by_name) {
    share.share = share.time.ns() / length;
    shares.push_back(std::move(share));
  }
  std::ranges::stable_sort(shares, std::greater(), &PathShare::time);
  return shares;
}

// Returns whether shares by the second say the same as those by the first.
bool are_alike(const std::vector<PathShare>& one, const std::vector<PathShare>& other) {
  return std::ranges::equal(one, other, {}, &PathShare::time, &PathShare::time);
}

}  // namespace

const Table<PathRow> critical_path_table = critical_path_columns;
const Table<PathShare> path_share_table = path_share_columns;

// Shares by an aspect in which all steps are alike say nothing and are left out; those by activity stay.
std::vector<PathShare> path_shares(const PathContext& context, const std::vector<PathStep>& path) {
  std::vector<PathShare> all, before;
  for (const Aspect& aspect : aspects) {
    std::vector<PathShare> shares = shares_by(aspect, context, path);
    if (all.empty() || (shares.size() > 1 && !are_alike(shares, before)))
      all.insert(all.end(), shares.begin(), shares.end());
    before = std::move(shares);
  }
  return all;
}

std::string shares_text(const std::vector<PathShare>& shares, bool unicode) {
  constexpr std::size_t most = 10, bar_width = 20;
  std::string text;
  for (auto first = shares.begin(); first != shares.end();) {
    const auto last =
        std::find_if(first, shares.end(), [&](const PathShare& share) { return share.by != first->by; });
    const auto shown = std::min(static_cast<std::size_t>(last - first), most);
    const std::vector<PathShare> rows(first, first + static_cast<std::ptrdiff_t>(shown));
    TextTable table = text_table_of(path_share_table, rows);
    table.columns[0].heading = fmt::format("by {}", first->by);
    std::vector<std::string> bars;
    for (const PathShare& share : rows) bars.push_back(bar_of(share.share, bar_width, unicode));
    table.insert(table.columns.size(), {"of the path", true}, std::move(bars));
    text += '\n' + table.text();
    if (static_cast<std::size_t>(last - first) > shown)
      text += fmt::format("and {} more\n", static_cast<std::size_t>(last - first) - shown);
    first = last;
  }
  return text;
}

std::string path_text(const PathContext& context, const std::vector<PathStep>& path,
                      const std::vector<PathShare>& shares, bool unicode) {
  const Time end = path.empty() ? Time() : path.back().interval.end;
  std::string text =
      fmt::format("{}: critical path of {}, {} steps\n", context.run, readable(Cell(end), "us"), path.size());
  if (context.total < end)
    text += fmt::format("  {} of it run beside the next step, so that a step takes {}\n",
                        readable(Cell(end - context.total), "us"), readable(Cell(context.total), "us"));
  return text + shares_text(shares, unicode);
}

}  // namespace orrery::core
