// Shows what is computed on the critical path of a run, and why it takes its time.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "report/critical_path/computed_work.hpp"
#include "report/critical_path/path_report.hpp"

namespace orrery::core {

// An operator, with everything that it does on the path.
struct PathOperator {
  std::string_view run;
  const ComputedOperator* op;
  Time time;         // time on the path
  Time contention;   // the part of it by which it takes longer because of collectives beside it
  double times = 0;  // how many times it is on the path; a fraction where only parts of it are
  double share = 0;  // share of the path

  const CostExplanation* explanation() const { return op->explanation ? &*op->explanation : nullptr; }
};
extern const Table<PathOperator> path_operator_table;

struct PathOperators {
  std::vector<PathOperator> rows;  // operators; the one that takes longest comes first
  Time unknown;                    // computations on the path for which only their time is known
};
PathOperators path_operators(const PathContext& context, const std::vector<PathStep>& path,
                             const ComputedWork& work);

// Returns the computations of a path as shares of the whole path: what an ideal device would take, and each
// loss.
std::vector<PathShare> computing_shares(const PathContext& context, const std::vector<PathStep>& path,
                                        const PathOperators& operators);

// Says in a few words what most time is lost to.
std::string reason_of(const CostExplanation& explanation);

// Returns tables for a terminal.
std::string path_operators_text(const PathOperators& operators);

}  // namespace orrery::core
