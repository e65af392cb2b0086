#include "study/compare/input_changes.hpp"

#include <algorithm>
#include <string>

#include "base/encoding/sha256.hpp"
#include "study/experiment/overrides.hpp"
#include "study/experiment/run_keys.hpp"
#include "study/experiment/swept_runs.hpp"
#include "study/experiment/varied_keys.hpp"

namespace orrery::core {

namespace {

using TextByKey = std::map<std::string, std::string>;

TextByKey varied_of(const StoredRun& run) {
  return {run.summary.varied.begin(), run.summary.varied.end()};
}

bool are_of_one_experiment(const StoredRun& before, const StoredRun& after) {
  return std::ranges::equal(before.origin.inputs, after.origin.inputs, {}, &InputFile::sha256,
                            &InputFile::sha256) &&
         before.origin.overrides == after.origin.overrides;
}

std::string value_in(const TextByKey& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? std::string() : found->second;
}

void add_changes(const TextByKey& before, const TextByKey& after, std::vector<InputChange>& changes) {
  TextByKey all = before;
  all.insert(after.begin(), after.end());
  for (const auto& [key, value] : all)
    if (value_in(before, key) != value_in(after, key))
      changes.push_back({key, value_in(before, key), value_in(after, key)});
}

// Returns the properties of a run as a whole that its results tell.
TextByKey properties_of(const StoredRun& run) {
  return {{"dialect", run.summary.dialect},
          {"NPUs", std::to_string(run.summary.npus)},
          {"training iterations", std::to_string(run.summary.iterations)},
          {"network model", run.network_model}};
}

// Returns the files that a run has read, with the beginnings of their hashes. Files whose content the other
// run has read, too, are left out, and so is the experiment's own where its keys are known.
TextByKey files_of(const StoredRun& run, const StoredRun& other, bool knows_keys) {
  constexpr std::size_t shown_digits = 12;
  TextByKey files;
  for (std::size_t i = knows_keys ? 1 : 0; i < run.origin.inputs.size(); ++i) {
    const InputFile& file = run.origin.inputs[i];
    if (std::ranges::find(other.origin.inputs, file.sha256, &InputFile::sha256) == other.origin.inputs.end())
      files["content of " + file.path] = file.sha256.substr(0, shown_digits);
  }
  return files;
}

}  // namespace

InputComparison::InputComparison(const StoredRun& before, FileLoader load)
    : before_(before), load_(std::move(load)), keys_before_(keys_of(before)) {}

std::unique_ptr<const InputComparison::Experiment> InputComparison::with_runs(InputNode document) {
  auto experiment = std::make_unique<Experiment>();
  experiment->document = std::move(document);
  if (const InputNode* const runs = experiment->document.find("runs"))
    for (const InputNode& node : runs->items)
      if (const InputNode* const name = node.find("name")) experiment->runs.emplace(name->text, &node);
  return experiment;
}

std::unique_ptr<const InputComparison::Experiment> InputComparison::read(const StoredRun& run) const {
  const InputFile& file = run.origin.inputs.front();
  try {
    const std::string text = load_(file.path);
    if (sha256(text) != file.sha256) return nullptr;
    InputNode document = parse_yaml(text, file.path);
    apply_overrides(document, run.origin.overrides,
                    [](std::string_view first) { return experiment_file_keys(first); });
    // An experiment that was put together in code is none of the files that it read.
    if (!document.find("workload") && !document.find("runs")) return nullptr;
    return with_runs(std::move(document));
  } catch (const InputError&) {
    return nullptr;
  }
}

const InputComparison::Experiment* InputComparison::experiment_of(const StoredRun& run) {
  if (run.document) {
    const auto [found, is_new] = documents_.try_emplace(run.document.get(), nullptr);
    if (is_new) found->second = with_runs(*run.document);
    return found->second.get();
  }
  if (run.origin.inputs.empty()) return nullptr;
  const InputFile& file = run.origin.inputs.front();
  const auto [found, is_new] =
      experiments_.try_emplace({file.path, file.sha256, run.origin.overrides}, nullptr);
  if (is_new) found->second = read(run);
  return found->second.get();
}

std::optional<InputComparison::TextByKey> InputComparison::keys_of(const StoredRun& run) {
  const Experiment* const experiment = experiment_of(run);
  if (!experiment) return std::nullopt;
  if (experiment->document.find("sweep")) {
    try {
      return keys_of_run(document_of_run(experiment->document, run.run, run.run), nullptr);
    } catch (const InputError&) {
      return std::nullopt;
    }
  }
  if (!experiment->document.find("runs")) return keys_of_run(experiment->document, nullptr);
  const auto found = experiment->runs.find(run.run);
  if (found == experiment->runs.end()) return std::nullopt;
  return keys_of_run(experiment->document, found->second);
}

std::vector<InputChange> InputComparison::changes_to(const StoredRun& after) {
  std::vector<InputChange> changes;
  add_changes(properties_of(before_), properties_of(after), changes);
  const std::optional<TextByKey> keys_after = keys_of(after);
  const bool knows_keys = keys_before_ && keys_after;
  if (knows_keys)
    add_changes(*keys_before_, *keys_after, changes);
  else if (are_of_one_experiment(before_, after))
    add_changes(varied_of(before_), varied_of(after), changes);
  add_changes(files_of(before_, after, knows_keys), files_of(after, before_, knows_keys), changes);
  return changes;
}

}  // namespace orrery::core
