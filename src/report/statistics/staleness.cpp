#include "report/statistics/staleness.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace orrery::core {

namespace {

struct Steps {
  std::vector<Time> starts, ends;  // ascending
};

Steps steps_of(const ExecutionGraph& graph, const std::vector<Interval>& operations) {
  Steps steps;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
    const Operation& operation = graph[id];
    if (operation.kind == OperationKind::pass_end) steps.ends.push_back(operations[id].end);
    const bool begins = operation.kind == OperationKind::compute && !operation.background &&
                        operation.iteration == static_cast<std::int32_t>(steps.starts.size());
    if (begins) steps.starts.push_back(operations[id].start);
  }
  return steps;
}

// Returns those of the parts that tell the steps of replicas.
std::vector<Steps> steps_of_replicas(const Program& program, const Recording& recording) {
  std::vector<Steps> parts;
  for (std::size_t i = 0; i < program.parts.size(); ++i) {
    if (program.parts[i].paces_replica)
      parts.push_back(steps_of(program.parts[i].graph, recording.lowest_of(i).operations));
  }
  return parts;
}

}  // namespace

TrainingPace training_pace(const Program& program, const Recording& recording) {
  const std::vector<Steps> parts = steps_of_replicas(program, recording);
  TrainingPace pace;
  pace.parts = parts.size();
  std::vector<Time> all_ends;
  for (const Steps& part : parts) all_ends.insert(all_ends.end(), part.ends.begin(), part.ends.end());
  std::ranges::sort(all_ends);
  // Number of steps of all parts that end after one time and until another.
  const auto between = [&](Time after, Time until) {
    return std::ranges::upper_bound(all_ends, until) - std::ranges::upper_bound(all_ends, after);
  };
  double steps = 0, stale = 0;
  for (const Steps& part : parts) {
    const double seconds = part.ends.back().ns() * 1e-9;
    const double rate = seconds > 0 ? static_cast<double>(part.ends.size()) / seconds : 0;
    pace.steps_per_second += rate / static_cast<double>(parts.size());
    for (std::size_t step = 0; step < part.ends.size(); ++step) {
      steps += 1;
      stale += static_cast<double>(between(part.starts[step], part.ends[step]) - 1);  // without its own
    }
  }
  pace.mean_staleness = steps > 0 ? stale / steps : 0;
  return pace;
}

int largest_staleness(const Program& program, const Recording& recording) {
  const std::vector<Steps> parts = steps_of_replicas(program, recording);
  std::vector<Time> last_ends;  // when the last part had done its k-th step
  for (const Steps& part : parts) {
    last_ends.resize(std::max(last_ends.size(), part.ends.size()));
    for (std::size_t step = 0; step < part.ends.size(); ++step)
      last_ends[step] = std::max(last_ends[step], part.ends[step]);
  }
  std::ptrdiff_t largest = 0;
  for (const Steps& part : parts) {
    for (std::size_t step = 0; step < part.starts.size(); ++step) {
      const auto done_by_all =
          std::upper_bound(last_ends.begin(), last_ends.end(), part.starts[step]) - last_ends.begin();
      largest = std::max(largest, static_cast<std::ptrdiff_t>(step) - done_by_all);
    }
  }
  return static_cast<int>(largest);
}

}  // namespace orrery::core
