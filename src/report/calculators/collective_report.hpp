// Shows the cost of collectives in a library, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "collective/library/group_table.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

struct CostedGroup {
  GroupRow row;
  CollectiveCost cost;

  double seconds() const { return cost.seconds; }
  std::optional<double> measured() const { return row.seconds; }
};

extern const Table<CostedGroup> group_cost_table;

struct CollectiveReport {
  std::string library;
  std::vector<CostedGroup> costs;
};

// Returns the bytes per second that each link of a flat ring would need for the same time, which nccl-tests
// call bus bandwidth. It is 0 for a group of one.
double bus_bandwidth(const CostedGroup& group);

// Returns one group in a few lines, or several as CSV.
std::string collective_text(const CollectiveReport& report);
nlohmann::ordered_json collective_to_json(const CollectiveReport& report);

}  // namespace orrery::core
