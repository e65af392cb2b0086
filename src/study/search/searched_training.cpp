#include "study/search/searched_training.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "study/experiment/run_keys.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"

namespace orrery::core {

namespace {

// Refuses what a run has on a network of its own.
void require_platform_alone(const RunSpec& run, const InputNode& document) {
  if (!run.has_network()) return;
  const InputNode* const runs = document.find("runs");
  std::vector<std::string> names;
  const std::vector<InputName> keys = keys_beyond_platform(runs ? runs->items.front() : document, document);
  for (const InputName& key : keys) names.push_back(backquoted(key.text));
  throw InputError(keys.front().where,
                   fmt::format("a search estimates layouts on the platform itself; leave {} out, and run the "
                               "layouts that it finds on the network",
                               fmt::join(names, " and ")));
}

}  // namespace

const TrainingSetup& searched_training(const Experiment& experiment, const InputNode& document,
                                       const std::string& file) {
  const RunSpec& run = experiment.runs.front();
  if (experiment.runs.size() != 1)
    throw InputError({file}, fmt::format("has {} runs, but a search starts from one; leave the others out",
                                         experiment.runs.size()));
  const TrainingSetup* const training = training_of(run);
  if (!training)
    throw InputError({file},
                     "trains no transformer on a platform, give it the key `platform` "
                     "(docs/inputs/transformers.md, \"Transformers on platforms\")");
  require_platform_alone(run, document);
  return *training;
}

}  // namespace orrery::core
