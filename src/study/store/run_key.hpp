// By what a run of a study is known again.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/input_log.hpp"
#include "base/input/input_node.hpp"
#include "study/space/sweep_space.hpp"

namespace orrery::core {

// Makes keys of runs: 32 hexadecimal digits that say what is simulated, whatever the run is called and
// wherever the sweep has it. Files count by their names, so that whether their content is still the same has
// to be looked at, too (StudyInputs).
class RunKeys {
 public:
  // `common` is what all runs have, and `options` what else changes their results.
  RunKeys(const SweepSpace& space, const InputNode& common, std::string_view options);
  std::string key_of(const SweepPoint& point) const;

 private:
  std::string common_;
  std::vector<std::pair<std::string, std::size_t>> keys_;  // paths in their order, with their numbers
};

// The files that runs have read, and their content. Several threads may use it.
class StudyInputs {
 public:
  // Paths are kept relative to the folder, which is that of the experiment.
  explicit StudyInputs(std::string folder) : folder_(std::move(folder)) {}

  // Returns a text that names files and their content. They are read if they were not read before.
  std::string listed(const std::set<std::string>& paths);
  // Returns whether files still have the content that such a text says.
  bool are_unchanged(const std::string& listed);

 private:
  const std::string& hash_of(const std::string& path);  // empty where the file cannot be read

  const std::string folder_;
  std::mutex mutex_;  // of the members below
  std::map<std::string, std::string> hashes_;
  std::map<std::string, bool> unchanged_;  // by the text
};

}  // namespace orrery::core
