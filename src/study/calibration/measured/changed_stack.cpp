#include "study/calibration/measured/changed_stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/diagnostics/printable.hpp"
#include "base/diagnostics/words.hpp"
#include "study/experiment/experiment.hpp"
#include "study/experiment/pieces/named_definitions.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"
#include "workload/training/platform.hpp"

namespace orrery::core {
namespace {

std::string chosen_of(const InputNode& document, const std::string& file, const std::string& run,
                      const SourceLocation& where, const FileLoader& load) {
  Warnings warnings;  // `orrery run` shows those of the experiment
  const Experiment experiment = read_experiment(document, file, {}, warnings, load);
  std::vector<std::string_view> names;
  for (const RunSpec& one : experiment.runs) names.push_back(one.name);
  if (run.empty() && names.size() == 1) return std::string(names.front());
  if (run.empty())
    throw InputError(where, fmt::format("{} has {} runs; name one of them, such as {}", printable(file),
                                        names.size(), backquoted(std::string(names.front()))));
  if (std::ranges::find(names, run) == names.end())
    throw InputError(where, fmt::format("{} has no run {}{}; it has {}", printable(file), backquoted(run),
                                        suggestion(run, names), alternatives(names)));
  return run;
}

// The place of a run's platform in the document, and what is written there.
struct PlacedPlatform {
  std::string path = "platform";
  const InputNode* node = nullptr;
};

PlacedPlatform platform_in(const InputNode& document, const std::string& run) {
  PlacedPlatform placed{"platform", document.find("platform")};
  const InputNode* const runs = document.find("runs");
  for (std::size_t i = 0; runs && i < runs->items.size(); ++i) {
    const InputNode* const name = runs->items[i].find("name");
    if (!name || name->text != run) continue;
    if (const InputNode* const own = runs->items[i].find("platform"))
      placed = {fmt::format("runs.{}.platform", i), own};
  }
  return placed;
}

InputNode written_stack(const InputNode& document, const InputNode& platform, const std::string& file,
                        const FileLoader& load) {
  NamedDefinitions pieces("platforms", NamedDefinitions::OtherBase::for_the_reader);
  pieces.take(document.find("platforms"));
  return stack_of_platform(pieces.resolve(platform), std::filesystem::path(file).parent_path(), load);
}

}  // namespace

ChangedStack::ChangedStack(const std::string& file, const std::vector<std::string>& overrides,
                           const std::string& run, const SourceLocation& where, const FileLoader& load)
    : file_(file) {
  const InputNode document = experiment_document(load(file), file, overrides);
  run_ = chosen_of(document, file, run, where, load);
  runs_ = std::make_unique<const ChangedRuns>(document, file_, run_, 1, true, StepListener(), load);
  const RunSpec spec = runs_->spec_with({});
  const TrainingSetup* const training = training_of(spec);
  const PlacedPlatform placed = platform_in(document, run_);
  if (!training || !placed.node)
    throw InputError(where,
                     fmt::format("the run {} of {} trains no transformer on a platform, whose software "
                                 "stack could be fitted",
                                 backquoted(run_), printable(file)));
  platform_ = placed.path;
  stack_ = training->stack;
  written_ = written_stack(document, *placed.node, file, load);
}

RunSpec ChangedStack::with(std::span<const Constant> constants, const ConstantValues& values) const {
  return runs_->spec_with(settings_of(constants, values, platform_));
}

}  // namespace orrery::core
