#include "report/accuracy/collective_accuracy.hpp"

#include <algorithm>
#include <cmath>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

namespace {

// The scales are round numbers with which intervals hold what they promise (docs/models/accuracy.md).
constexpr NumberProperty collective_numbers[] = {{"bytes", 4}, {"members", 4}};
constexpr WordProperty collective_words[] = {{"library", 0.1}, {"link", 0.5}, {"operation", 0.5}};
constexpr Properties collective_properties{collective_numbers, collective_words};

}  // namespace

RunProperties properties_of_collective(std::string_view library, const GroupRow& row) {
  const LinkChoice& slowest = row.group.nodes() > 1 ? row.links.between : row.links.inside;
  return {
      {std::log(std::max(1.0, row.bytes)), std::log(static_cast<double>(row.group.members))},
      {std::string(library), slowest.text(), std::string(word_of(library_operation_words, row.operation))}};
}

const MeasuredErrors& collective_errors() {
  static const MeasuredErrors errors = measured_errors_named(collective_properties, "collectives");
  return errors;
}

ErrorInterval collective_interval(std::string_view library, const GroupRow& row, const CollectiveCost& cost,
                                  double share) {
  ErrorInterval interval = collective_errors().interval_for(properties_of_collective(library, row), share);
  if (cost.seconds > 0)
    interval.low = std::max(interval.low, std::min(1.0, cost.least_seconds / cost.seconds));
  return interval;
}

}  // namespace orrery::core
