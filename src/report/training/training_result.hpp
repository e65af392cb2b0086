// The result of a training step of a transformer: how long it took, and what that time went to.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/units/rank_id.hpp"
#include "report/breakdown/breakdown.hpp"
#include "workload/training/step/training_program.hpp"
#include "workload/training/training_setup.hpp"
#include "workload/transformer/blocks/transformer_memory.hpp"

namespace orrery::core {

struct StageResult {
  std::string name;
  TimeParts time;                          // means over its ranks; they add up to the step
  std::array<Time, axis_count> exposed{};  // the exposed communication along an axis
  Time exposed_pipeline;                   // the exposed communication that is messages between stages
  double micro_batches_in_flight = 0;
  StageMemory memory;
};

struct TrainingResult {
  Time step;
  RankId last_rank;                                              // one that is ready last for the next step
  Time rank_0_end;                                               // when rank 0 is ready for it
  TimeParts time;                                                // means over ranks; they add up to the step
  std::array<Time, axis_count> exposed{};                        // the exposed communication along an axis
  std::array<std::set<CollectiveKind>, axis_count> collectives;  // kinds of the collectives along an axis
  Time exposed_pipeline;  // the exposed communication that is messages between stages
  double tokens_per_second = 0;
  double model_flops = 0;     // per step, of all devices (workload/transformer/model_flops.hpp)
  double hardware_flops = 0;  // per step, of all matrix products, repeated or padded ones included
  double peak_flops = 0;      // per second, of all devices
  bool is_inference = false;  // and no training
  std::vector<StageResult> stages;

  double model_flop_utilization() const { return utilization(model_flops); }
  double hardware_flop_utilization() const { return utilization(hardware_flops); }

 private:
  double utilization(double flops) const { return flops / Seconds::of(step).count() / peak_flops; }
};

// Returns the result of a step whose time goes to what the breakdown says.
TrainingResult training_result(const TrainingSetup& setup, const StageCosts& costs, const Program& program,
                               const Breakdown& breakdown);

}  // namespace orrery::core
