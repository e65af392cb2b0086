// A training step of a transformer: how long it takes, and what that time goes to.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "program/program.hpp"
#include "simulate/machine.hpp"
#include "simulate/recording.hpp"
#include "workload/parallelism/sharding.hpp"
#include "workload/training/training_program.hpp"
#include "workload/training/training_setup.hpp"
#include "workload/transformer/transformer_memory.hpp"

namespace orrery {

struct StageResult {
  std::string name;
  Time compute;                            // time of operators and of the weights' update
  std::array<Time, axis_count> exposed{};  // waiting for collectives within its passes
  double micro_batches_in_flight = 0;
  StageMemory memory;
};

// Times are means over stages where they differ. step = compute + bubble + all that is exposed, to the
// picosecond.
struct TrainingResult {
  Time step;
  Time compute;
  Time bubble;                             // what stages idle when messages and gradient exchanges are free
  std::array<Time, axis_count> exposed{};  // along an axis
  Time exposed_pipeline;                   // messages between stages
  double tokens_per_second = 0;
  double model_flops = 0;     // per step, of all devices (workload/transformer/model_flops.hpp)
  double hardware_flops = 0;  // per step, of all matrix products, repeated or padded ones included
  double peak_flops = 0;      // per second, of all devices
  std::vector<StageResult> stages;

  double step_seconds() const;
  Time exposed_total() const;
  double model_flop_utilization() const { return model_flops / step_seconds() / peak_flops; }
  double hardware_flop_utilization() const { return hardware_flops / step_seconds() / peak_flops; }
};

// Returns the machine that a platform is, without a network of its own: its library carries out collectives
// and messages.
Machine platform_machine(const TrainingSetup& setup);

// Returns what the recording of a step's program says of it.
TrainingResult training_result(const TrainingSetup& setup, const StageCosts& costs, const Program& program,
                               const Recording& recording, PassDetail detail = PassDetail::one_node);

// Simulates a step on the platform's machine. The plan must be one that errors_of_plan() has nothing against.
TrainingResult simulate_training_step(const TrainingSetup& setup);
// Returns only `step` of simulate_training_step(), in seconds and in a fraction of the time. `blocks` keeps
// what steps of other layouts can use again.
double training_step_seconds(const TrainingSetup& setup);
double training_step_seconds(const TrainingSetup& setup, BlockCosts& blocks);

}  // namespace orrery
