#include "report/calculators/collective_report.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/diagnostics/words.hpp"
#include "base/text/readable.hpp"
#include "base/units/seconds.hpp"
#include "report/accuracy/collective_accuracy.hpp"
#include "report/table/measured_costs.hpp"

namespace orrery::core {

namespace {

std::string_view algorithm_word(const CollectiveCost& cost) {
  return cost.algorithm ? word_of(library_algorithm_words, *cost.algorithm) : "none";
}

std::string_view protocol_word(const CollectiveCost& cost) {
  return cost.protocol ? word_of(protocol_words, *cost.protocol) : "none";
}

std::string one_collective(const CollectiveReport& report) {
  const CostedGroup& costed = report.costs[0];
  const GroupRow& row = costed.row;
  std::string text = fmt::format("{} of {} among {} GPUs, {} in each of {} nodes, by {} on {}",
                                 word_of(library_operation_words, row.operation), readable_bytes(row.bytes),
                                 row.group.members, row.group.per_node, row.group.nodes(), report.library,
                                 row.links.inside.text());
  if (!row.links.between.empty()) text += " and " + row.links.between.text();
  text = wrapped(text, 2);
  text += fmt::format("\n  time           {}\n", readable_seconds(costed.cost.seconds));
  text +=
      fmt::format("  interval       {} to {} in {:.3g}% of cases\n",
                  readable_seconds(costed.cost.seconds * costed.interval.low),
                  readable_seconds(costed.cost.seconds * costed.interval.high), report.interval_share * 100);
  text += fmt::format("  bus bandwidth  {}\n", readable_count(bus_bandwidth(costed), "B/s"));
  text += fmt::format("  algorithm      {}\n  protocol       {}\n", algorithm_word(costed.cost),
                      protocol_word(costed.cost));
  return text;
}

constexpr Column<CostedGroup> group_columns[] = {
    {"link", "", "Class of the links inside a node.", [](auto& row) { return row.row.links.inside.text(); }},
    {"inter", "", "Class of the links between nodes.",
     [](auto& row) { return row.row.links.between.text(); }},
    {"operation", "", "Name of the collective, or `send`.",
     [](auto& row) { return word_of(library_operation_words, row.row.operation); }},
    {"members", "", "Number of GPUs in the group.", [](auto& row) { return row.row.group.members; }},
    {"per_node", "", "Number of these GPUs in each node.", [](auto& row) { return row.row.group.per_node; }},
    {"bytes", "bytes", "Size of the whole tensor.",
     [](auto& row) { return static_cast<std::uint64_t>(row.row.bytes); }},
    {"time_us", "us", "Time that the operation takes.",
     [](auto& row) { return Seconds(row.cost.seconds).rounded(); }},
    {"low_us", "us",
     "Lower end of the [interval](../models/accuracy.md) in which measured times lie in eight of ten cases, "
     "or in the share that `--interval` says.",
     [](auto& row) { return Seconds(row.cost.seconds * row.interval.low).rounded(); }},
    {"high_us", "us", "Upper end of that interval.",
     [](auto& row) { return Seconds(row.cost.seconds * row.interval.high).rounded(); }},
    {"bus_gb_per_s", "GB/s",
     "Bandwidth that the links of a flat ring would need for the same time. nccl-tests call it the bus "
     "bandwidth.",
     [](auto& row) {
       return Real{bus_bandwidth(row) * 1e-9, 2};
     }},
    {"algorithm", "",
     "Algorithm that the library chose: `ring`, `tree`, `nvls`, `sharp` or `pairwise`. It is `none` for a "
     "group of one.",
     [](auto& row) { return algorithm_word(row.cost); }},
    {"protocol", "", "Protocol that the library chose: `simple`, `ll128` or `ll`.",
     [](auto& row) { return protocol_word(row.cost); }},
    {"measured_us", "us", "Measured time, as the input gives it. It is there only if the input gives one.",
     [](auto& row) {
       return row.row.seconds ? std::optional(Seconds(*row.row.seconds).rounded()) : std::nullopt;
     }},
};

}  // namespace

const Table<CostedGroup> group_cost_table(group_columns);

CollectiveReport cost_groups(const std::vector<GroupRow>& rows, const LibraryConstants& constants,
                             double interval_share, Warnings& warnings) {
  CollectiveReport report{constants.name, interval_share, {}};
  for (const GroupRow& row : rows) {
    const CollectiveCost cost = cost_of(row, constants, warnings);
    report.costs.push_back({row, cost, collective_interval(constants.name, row, cost, interval_share)});
  }
  return report;
}

double bus_bandwidth(const CostedGroup& group) {
  const double n = group.row.group.members;
  if (!(group.cost.seconds > 0)) return 0;
  const double rate = group.row.bytes / group.cost.seconds;
  if (!group.row.operation) return rate;
  switch (*group.row.operation) {
    case CollectiveKind::all_reduce:
      return rate * 2 * (n - 1) / n;
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return rate;
    case CollectiveKind::barrier:
      return 0;
    default:
      return rate * (n - 1) / n;
  }
}

std::string collective_text(const CollectiveReport& report) {
  if (report.costs.size() == 1) return one_collective(report);
  return costs_csv(group_cost_table, report.costs);
}

nlohmann::ordered_json collective_to_json(const CollectiveReport& report) {
  nlohmann::ordered_json json{{"library", report.library}, {"interval_share", report.interval_share}};
  set_costs(json, "costs", group_cost_table, report.costs);
  return json;
}

}  // namespace orrery::core
