// The result of a training step of a transformer: how long it took, and what that time went to.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "report/stage_times.hpp"
#include "workload/training/training_program.hpp"
#include "workload/training/training_setup.hpp"
#include "workload/transformer/transformer_memory.hpp"

namespace orrery {

struct StageResult {
  std::string name;
  StageTimes times;
  double micro_batches_in_flight = 0;
  StageMemory memory;
};

// Times are means over stages where stages differ. step = compute + bubble + everything that is exposed, to
// the picosecond.
struct TrainingResult {
  Time step;
  std::uint32_t last_rank = 0;  // one that is ready last for the next step
  Time compute;
  // Time that stages would idle if communication took no time, as far as they idle.
  Time bubble;
  std::array<Time, axis_count> exposed{};                        // time exposed along an axis
  std::array<std::set<CollectiveKind>, axis_count> collectives;  // kinds of the collectives along an axis
  // Waiting for messages between stages, and for stages that communicate.
  Time exposed_pipeline;
  double tokens_per_second = 0;
  double model_flops = 0;     // per step, of all devices (workload/transformer/model_flops.hpp)
  double hardware_flops = 0;  // per step, of all matrix products, repeated or padded ones included
  double peak_flops = 0;      // per second, of all devices
  std::vector<StageResult> stages;

  Time exposed_total() const;
  double model_flop_utilization() const { return utilization(model_flops); }
  double hardware_flop_utilization() const { return utilization(hardware_flops); }

 private:
  double utilization(double flops) const { return flops / Seconds::of(step).count() / peak_flops; }
};

// Returns the result that the recording of a step's program shows.
TrainingResult training_result(const TrainingSetup& setup, const StageCosts& costs, const Program& program,
                               const Recording& recording, PassDetail detail = PassDetail::one_node);

}  // namespace orrery
