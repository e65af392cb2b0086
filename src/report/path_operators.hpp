// Shows what is computed on the critical path of a run, and why it takes its time.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "report/computed_work.hpp"
#include "report/path_report.hpp"

namespace orrery {

// All stays of an operator on the path.
struct PathOperator {
  std::string_view run;
  const ComputedOperator* op;
  Time time;         // on the path
  double times = 0;  // how often it is on the path; a fraction where parts of it are
  double share = 0;  // of the path

  const CostExplanation* explanation() const { return op->explanation ? &*op->explanation : nullptr; }
};
extern const Table<PathOperator> path_operator_table;

struct PathOperators {
  std::vector<PathOperator> rows;  // what takes longest first
  Time unknown;                    // computations on the path of which nothing but their time is known
};
PathOperators path_operators(const PathContext& context, const std::vector<PathStep>& path,
                             const ComputedWork& work);

// Returns what the computations of a path go to, as shares of the whole path: what an ideal device would
// take, and each loss.
std::vector<PathShare> computing_shares(const PathContext& context, const std::vector<PathStep>& path,
                                        const PathOperators& operators);

// Says in a few words what most time is lost to.
std::string reason_of(const CostExplanation& explanation);

// Returns tables for a terminal.
std::string path_operators_text(const PathOperators& operators);

}  // namespace orrery
