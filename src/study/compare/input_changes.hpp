// Finds the inputs in which two earlier runs differ.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/files/file_loader.hpp"
#include "report/compare/run_changes.hpp"
#include "report/stored/stored_runs.hpp"

namespace orrery::core {

// Compares runs with one of them. Each experiment's file is read once, however many of its runs are compared.
class InputComparison {
 public:
  // Keeps a reference to the run.
  explicit InputComparison(const StoredRun& before, FileLoader load);

  // Returns properties of the runs, keys of their experiments and files that they read. Keys are known where
  // the runs have their experiments' documents, or their files have not changed, or where both are runs of
  // one experiment.
  std::vector<InputChange> changes_to(const StoredRun& after);

 private:
  using TextByKey = std::map<std::string, std::string>;
  struct Experiment {
    InputNode document;
    std::map<std::string, const InputNode*> runs;  // by name; none where the file is for one run
  };

  static std::unique_ptr<const Experiment> with_runs(InputNode document);
  std::unique_ptr<const Experiment> read(const StoredRun& run) const;
  const Experiment* experiment_of(const StoredRun& run);
  std::optional<TextByKey> keys_of(const StoredRun& run);

  const StoredRun& before_;
  FileLoader load_;
  // By path, hash and overrides; nothing where the file is gone, has changed or is no experiment.
  std::map<std::tuple<std::string, std::string, std::vector<std::string>>, std::unique_ptr<const Experiment>>
      experiments_;
  std::map<const InputNode*, std::unique_ptr<const Experiment>> documents_;  // of runs that have one
  std::optional<TextByKey> keys_before_;
};

}  // namespace orrery::core
