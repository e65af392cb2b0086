#include "study/input_changes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/sha256.hpp"
#include "study/overrides.hpp"
#include "study/run_keys.hpp"
#include "study/varied_keys.hpp"

namespace orrery {

namespace {

using TextByKey = std::map<std::string, std::string>;

// Returns the keys of a run's experiment; nothing where its file is gone, has changed or is no experiment.
std::optional<TextByKey> keys_of_file(const StoredRun& run, const FileLoader& load) {
  if (run.origin.inputs.empty()) return std::nullopt;
  const InputFile& file = run.origin.inputs.front();
  try {
    const std::string text = load(file.path);
    if (sha256(text) != file.sha256) return std::nullopt;
    InputNode document = parse_yaml(text, file.path);
    apply_overrides(document, run.origin.overrides,
                    [](std::string_view first) { return experiment_file_keys(first); });
    const InputNode* const runs = document.find("runs");
    if (!runs) return keys_of_run(document, nullptr);
    for (const InputNode& node : runs->items)
      if (const InputNode* const name = node.find("name"); name && name->text == run.run)
        return keys_of_run(document, &node);
  } catch (const InputError&) {
  }
  return std::nullopt;
}

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

std::vector<InputChange> input_changes(const StoredRun& before, const StoredRun& after,
                                       const FileLoader& load) {
  std::vector<InputChange> changes;
  add_changes(properties_of(before), properties_of(after), changes);
  const std::optional<TextByKey> keys_before = keys_of_file(before, load),
                                 keys_after = keys_of_file(after, load);
  const bool knows_keys = keys_before && keys_after;
  if (knows_keys)
    add_changes(*keys_before, *keys_after, changes);
  else if (are_of_one_experiment(before, after))
    add_changes(varied_of(before), varied_of(after), changes);
  add_changes(files_of(before, after, knows_keys), files_of(after, before, knows_keys), changes);
  return changes;
}

}  // namespace orrery
