// Shows the critical path of a run: its steps, and where its time goes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/critical_path/critical_path.hpp"
#include "report/table/table.hpp"
#include "report/timeline/programs/program_timeline.hpp"

namespace orrery::core {

// What reports need to know about a run in addition to the steps of its critical path.
struct PathContext {
  std::string_view run;
  const Program& program;
  const Topology& topology;
  const PassWords& passes;
  Time total;  // time of the run, or of a step that begins before the step before it has ended
  std::span<const double> slowdown = {};  // by rank, factor on its compute times; empty: 1 everywhere
};

struct PathRow {
  const PathContext& context;
  const PathStep& step;
};
extern const Table<PathRow> critical_path_table;

// All steps of a path that have something in common.
struct PathShare {
  std::string_view run, by;  // `by` is "activity", "layer" and so on
  std::string name = {};
  Time time = {};
  std::size_t steps = 0;
  double share = 0;  // share of the path
};
extern const Table<PathShare> path_share_table;

// Returns shares by everything in which steps of the path differ. Within each, the largest comes first.
std::vector<PathShare> path_shares(const PathContext& context, const std::vector<PathStep>& path);

// Returns tables for a terminal, one for each thing that shares are by. `unicode` draws with block
// characters, else with ASCII.
std::string shares_text(const std::vector<PathShare>& shares, bool unicode);

// Returns the same for the largest of these shares, below a line about the path.
std::string path_text(const PathContext& context, const std::vector<PathStep>& path,
                      const std::vector<PathShare>& shares, bool unicode);

}  // namespace orrery::core
