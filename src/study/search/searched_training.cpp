#include "study/search/searched_training.hpp"

#include <fmt/format.h>

#include "study/workloads/transformer/transformer_workload.hpp"

namespace orrery::core {

namespace {

const InputNode& platform_in(const InputNode& document) {
  const InputNode* const runs = document.find("runs");
  const InputNode* const own = runs ? runs->items.front().find("platform") : nullptr;
  return own ? *own : *document.find("platform");
}

}  // namespace

const TrainingSetup& searched_training(const Experiment& experiment, const InputNode& document,
                                       const std::string& file) {
  if (const InputNode* const sweep = document.find("sweep"))
    throw InputError(sweep->where, "a search starts from one run; leave the sweep out");
  if (experiment.runs.size() != 1)
    throw InputError({file}, fmt::format("has {} runs, but a search starts from one; leave the others out",
                                         experiment.runs.size()));
  const TrainingSetup* const training = training_of(experiment.runs.front());
  if (!training)
    throw InputError({file},
                     "trains no transformer on a platform, give it the key `platform` "
                     "(docs/inputs/transformers.md, \"Transformers on platforms\")");
  if (!training->library)
    throw InputError(platform_in(document).where,
                     "a search chooses the layouts for the network by the platform's own links, but this "
                     "platform has none; give it a `base` that has, such as `dgx-h100`");
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
