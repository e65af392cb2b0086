#include "workload/training/step_bound.hpp"

#include <algorithm>
#include <limits>

namespace orrery {

double least_step_seconds(const TrainingSetup& setup, const StageCosts& costs) {
  const auto micro_batches = static_cast<double>(setup.plan.micro_batches());
  double most = 0, before = 0;  // `before`: a micro-batch's way through the stages before, there and back
  for (std::size_t stage = 0; stage < setup.plan.pipeline; ++stage) {
    double all = 0;
    double forward = std::numeric_limits<double>::infinity(), backward = forward;
    for (const ChunkCost& chunk : costs.of(stage).chunks) {
      const double back = chunk.all_of_backward().seconds;
      all += chunk.forward.seconds + back;
      forward = std::min(forward, chunk.forward.seconds);
      backward = std::min(backward, back);
    }
    most = std::max(most, before + micro_batches * all);
    before += forward + backward;
  }
  // Passes are simulated in whole nanoseconds.
  constexpr double rounding = 1e-9;
  const double passes = 2 * micro_batches * static_cast<double>(setup.plan.chunks) +
                        2 * static_cast<double>(setup.plan.pipeline);
  return std::max(0.0, most + costs.of(0).optimizer - rounding * passes);
}

}  // namespace orrery
