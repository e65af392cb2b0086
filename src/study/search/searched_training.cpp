#include "study/search/searched_training.hpp"

#include <fmt/format.h>

#include "study/workloads/transformer/transformer_workload.hpp"

namespace orrery::core {

const TrainingSetup& searched_training(const Experiment& experiment, const InputNode& document,
                                       const std::string& file) {
  if (const InputNode* const sweep = document.find("sweep"))
    throw InputError(sweep->where, "a search over a sweep keeps its runs in a store; name one");
  if (experiment.runs.size() != 1)
    throw InputError({file}, fmt::format("has {} runs, but a search starts from one; leave the others out",
                                         experiment.runs.size()));
  const TrainingSetup* const training = training_of(experiment.runs.front());
  if (!training)
    throw InputError({file},
                     "trains no transformer on a platform, give it the key `platform` "
                     "(docs/inputs/transformers.md, \"Transformers on platforms\")");
  if (training->plan.forward_only)
    throw InputError(training->where, "a search compares layouts of training; leave `inference` out");
  return *training;
}

void require_whole_network(const RunSpec& run, const LayoutSpace& space, const std::string& asked) {
  if (!run.has_network()) return;
  const auto npus = static_cast<std::uint64_t>(run.topology->npus());
  if (space.gpus == npus && !space.fewer_gpus) return;
  throw InputError({asked}, fmt::format("the run's network has {} NPUs, and each layout uses all of them; "
                                        "leave this out, or search on another network",
                                        npus));
}

}  // namespace orrery::core
