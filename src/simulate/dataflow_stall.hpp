// Explains why a rank whose operations start as soon as they are ready has not ended.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/units/rank_id.hpp"
#include "program/execution_graph.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

// The start or end of an operation that has not begun or ended.
inline constexpr Time not_yet = Time::from_ps(-1);

// Names the operations that a rank cannot start because they wait for operations that follow them.
// `intervals` say what it has done with the operations of its graph.
std::vector<std::string> circles(const ExecutionGraph& graph, std::span<const Interval> intervals,
                                 RankId rank);

// Returns the operations that a rank has started and not completed.
std::vector<ExecutionGraph::Id> under_way(std::span<const Interval> intervals);

}  // namespace orrery::core
