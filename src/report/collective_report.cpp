#include "report/collective_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/words.hpp"

namespace orrery {

namespace {

// To a picosecond.
double cost_us(double seconds) {
  return std::round(seconds * 1e12) * 1e-6;
}

std::string_view algorithm_word(const CollectiveCost& cost) {
  return cost.algorithm ? word_of(library_algorithm_words, *cost.algorithm) : "none";
}

std::string_view protocol_word(const CollectiveCost& cost) {
  return cost.protocol ? word_of(protocol_words, *cost.protocol) : "none";
}

std::string one_collective(const CollectiveReport& report) {
  const CostedGroup& costed = report.costs[0];
  const GroupRow& row = costed.row;
  std::string text =
      fmt::format("{} of {:.0f} bytes among {} GPUs, {} in each of {} nodes, by {} on {}",
                  word_of(library_operation_words, row.operation), row.bytes, row.group.members,
                  row.group.per_node, row.group.nodes(), report.library, row.links.inside.text());
  if (!row.links.between.empty()) text += " and " + row.links.between.text();
  text += fmt::format("\n  time           {:.3f} us\n", cost_us(costed.cost.seconds));
  text += fmt::format("  bus bandwidth  {:.2f} GB/s\n", bus_bandwidth(costed) * 1e-9);
  text += fmt::format("  algorithm      {}\n  protocol       {}\n", algorithm_word(costed.cost),
                      protocol_word(costed.cost));
  return text;
}

std::string collectives_csv(const CollectiveReport& report) {
  std::string text =
      "link,inter,operation,members,per_node,bytes,time_us,bus_gb_per_s,algorithm,protocol,measured_us\n";
  for (const CostedGroup& costed : report.costs) {
    const auto& [row, cost] = costed;
    text += fmt::format("{},{},{},{},{},{:.0f},{:.3f},{:.2f},{},{},{}\n", row.links.inside.text(),
                        row.links.between.text(), word_of(library_operation_words, row.operation),
                        row.group.members, row.group.per_node, row.bytes, cost_us(cost.seconds),
                        bus_bandwidth(costed) * 1e-9, algorithm_word(cost), protocol_word(cost),
                        row.seconds ? fmt::format("{}", cost_us(*row.seconds)) : "");
  }
  if (const auto error = report.mean_error()) text += fmt::format("# mean error {:.2f}%\n", 100 * *error);
  return text;
}

}  // namespace

std::optional<double> CollectiveReport::mean_error() const {
  double sum = 0;
  int count = 0;
  for (const auto& [row, cost] : costs) {
    if (!row.seconds) continue;
    sum += std::abs(cost.seconds / *row.seconds - 1);
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

double bus_bandwidth(const CostedGroup& group) {
  const double n = group.row.group.members;
  if (!(group.cost.seconds > 0)) return 0;
  const double rate = group.row.bytes / group.cost.seconds;
  switch (group.row.operation) {
    case LibraryOperation::all_reduce:
      return rate * 2 * (n - 1) / n;
    case LibraryOperation::broadcast:
    case LibraryOperation::send:
      return rate;
    default:
      return rate * (n - 1) / n;
  }
}

std::string collective_text(const CollectiveReport& report) {
  return report.costs.size() == 1 ? one_collective(report) : collectives_csv(report);
}

nlohmann::ordered_json collective_to_json(const CollectiveReport& report) {
  nlohmann::ordered_json json{{"library", report.library}};
  if (const auto error = report.mean_error()) json["mean_error"] = *error;
  for (const CostedGroup& costed : report.costs) {
    const auto& [row, cost] = costed;
    nlohmann::ordered_json entry{{"link", row.links.inside.text()},
                                 {"inter", row.links.between.text()},
                                 {"operation", word_of(library_operation_words, row.operation)},
                                 {"members", row.group.members},
                                 {"per_node", row.group.per_node},
                                 {"bytes", static_cast<std::uint64_t>(row.bytes)},
                                 {"time_us", cost_us(cost.seconds)},
                                 {"bus_gb_per_s", bus_bandwidth(costed) * 1e-9},
                                 {"algorithm", algorithm_word(cost)},
                                 {"protocol", protocol_word(cost)}};
    if (row.seconds) entry["measured_us"] = cost_us(*row.seconds);
    json["costs"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace orrery
