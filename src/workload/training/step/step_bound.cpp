#include "workload/training/step/step_bound.hpp"

#include <algorithm>
#include <limits>

namespace orrery::core {

Seconds min_step_time(const TrainingSetup& setup, const StageCosts& costs) {
  const auto micro_batches = static_cast<double>(setup.plan.micro_batches());
  Seconds most, before;  // `before`: a micro-batch's way through the stages before, there and back
  for (std::size_t stage = 0; stage < setup.plan.pipeline; ++stage) {
    Seconds all;
    Seconds forward(std::numeric_limits<double>::infinity()), backward = forward;
    for (const ChunkCost& chunk : costs.of(stage).chunks) {
      const Seconds back = chunk.all_of_backward().total;
      all += chunk.forward.total + back;
      forward = std::min(forward, chunk.forward.total);
      backward = std::min(backward, back);
    }
    most = std::max(most, before + all * micro_batches);
    before += forward + backward;
  }
  // Passes are simulated in whole nanoseconds.
  constexpr Seconds rounding(1e-9);
  const double passes = 2 * micro_batches * static_cast<double>(setup.plan.chunks) +
                        2 * static_cast<double>(setup.plan.pipeline);
  return std::max(Seconds(), most + costs.of(0).optimizer - rounding * passes);
}

}  // namespace orrery::core
