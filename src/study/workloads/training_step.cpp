#include "study/workloads/training_step.hpp"

#include "simulate/library_transport.hpp"
#include "simulate/simulation.hpp"

namespace orrery {

Machine platform_machine(const TrainingSetup& setup) {
  Machine machine;
  Dimension gpus;
  gpus.name = "GPUs";
  gpus.block = Block::switched;
  gpus.size = static_cast<int>(setup.gpus());
  gpus.links = 1;
  gpus.link_bandwidth = Bandwidth::from_gb_per_s(1);  // nobody asks for it
  machine.topology.dimensions = {gpus};
  machine.network.model = &sends_by_library;
  machine.library = std::make_shared<const CollectiveLibrary>(setup.library);
  return machine;
}

TrainingResult simulate_training_step(const TrainingSetup& setup) {
  const StageCosts costs(setup);
  const Program program = training_program(setup, costs);
  const Machine machine = platform_machine(setup);
  const Recording recording = simulate(program, machine, plan_simulation(program, machine));
  return training_result(setup, costs, program, breakdown_of(program, recording));
}

}  // namespace orrery
