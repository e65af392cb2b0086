// Shows the cost of collectives in a library, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "collective/library/group_table.hpp"
#include "report/accuracy/error_interval.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

struct CostedGroup {
  GroupRow row;
  CollectiveCost cost;
  ErrorInterval interval;

  double seconds() const { return cost.seconds; }
  std::optional<double> measured() const { return row.seconds; }
};

extern const Table<CostedGroup> group_cost_table;

struct CollectiveReport {
  std::string library;
  double interval_share = usual_interval_share;
  std::vector<CostedGroup> costs;
};

// Returns the cost of groups in a library, and how far off it may be. Throws InputError as cost_of() does.
CollectiveReport cost_groups(const std::vector<GroupRow>& rows, const LibraryConstants& constants,
                             double interval_share, Warnings& warnings);

// Returns the bytes per second that each link of a flat ring would need for the same time, which nccl-tests
// call bus bandwidth. It is 0 for a group of one.
double bus_bandwidth(const CostedGroup& group);

// Returns one group in a few lines, or several as CSV.
std::string collective_text(const CollectiveReport& report);
nlohmann::ordered_json collective_to_json(const CollectiveReport& report);

}  // namespace orrery::core
