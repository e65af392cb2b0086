// Finds the critical path of a run. It goes from the end of the last rank back to the beginning, always to
// what the next step had to wait for. Its steps follow one another without gaps, so they add up to the time
// of the run (docs/models/reports.md, The critical path).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/units/rank_id.hpp"
#include "program/program.hpp"
#include "report/critical_path/computed_work.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

enum class PathKind : std::uint8_t {
  compute,
  transition,  // the program goes to its next state, or a collective's end is delayed
  collective,  // data of a collective is under way
  queue,       // a part of a collective waits, and nothing that is recorded says for what
  message,     // a message between parts or ranks is under way
  memory       // memory beyond the rank's own is asked for something, and serves it
};
std::string_view name_of(PathKind kind);

struct PathStep {
  PathKind kind = PathKind::compute;
  RankId rank;                       // rank that computes, or that came to the collective last
  std::uint32_t part = 0;            // part of the program that has the operation
  ExecutionGraph::Id operation = 0;  // for a message its send
  Interval interval;
  int dimension = -1;  // of collectives, as all_dimensions() numbers them; -1: not known
  // A collective within the operation, which stands for a whole pass. Null: the step belongs to the operation
  // itself.
  const CollectiveRequest* within = nullptr;
  double count = 1;  // number of these collectives
};

// Divides steps of operations that stand for whole passes: first comes computing, then the wait for each
// collective in it. What `work` gives has to outlive the steps.
std::vector<PathStep> divided_passes(const std::vector<PathStep>& path, const ComputedWork& work);

// Returns the steps from the beginning to the end of the run. The recording must be that of the program, on a
// machine with `every_class`, or on one whose ranks issue in slots.
std::vector<PathStep> critical_path(const Program& program, const Recording& recording);

}  // namespace orrery::core
