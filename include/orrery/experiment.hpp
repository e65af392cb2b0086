// Orrery as a library: simulate an experiment file and read its results.
//
//   for (const orrery::Outcome& run : orrery::run_experiment("examples/dgx2-vs-tpu.yaml"))
//     std::cout << run.name << ' ' << run.total_us << '\n';
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

// Sums over all training iterations, in microseconds.
struct LayerOutcome {
  std::string name;
  double compute_us;
  double communication_us;  // from issue to completion of its collectives, overlapped or not
  double exposed_us;        // the layer's part of the run's exposed communication
};

struct Outcome {
  std::string name;  // of the run
  int npus;
  int iterations;
  double total_us;  // until the last rank's program has ended; the mean rank spends it on the next four
  double compute_us;
  double bubble_us;                        // waits that would be there even if communication took no time
  double exposed_us;                       // all other waits: exposed communication
  double idle_us;                          // after its own end
  double update_us;                        // the part of compute_us in which weights are updated
  std::vector<LayerOutcome> layers;        // in the workload's order
  std::optional<double> network_cost_usd;  // none for a graph, whose prices are not known
  std::uint64_t messages;                  // sent by all NPUs
  double rank_0_total_us;                  // until rank 0's program has ended
};

// Runs everything in `file`; docs/inputs/experiment.md documents its keys. `overrides` are "key=value" as
// with --set. The runs follow one another in one thread. Writes no file and keeps no state, so calls may run
// side by side in several threads. Warnings are appended to `warnings` when it is given. Throws
// std::runtime_error: what() is "file:line:column: error: what is wrong, what to do" for a mistake in the
// input, or says which rank waits for what when a simulation cannot go on. So a run that fails ends the call,
// unlike in `orrery run`.
std::vector<Outcome> run_experiment(const std::string& file, const std::vector<std::string>& overrides = {},
                                    std::vector<std::string>* warnings = nullptr);

}  // namespace orrery
