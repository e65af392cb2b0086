// A run of an experiment with other values of its software stack's constants.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/input/input_node.hpp"
#include "study/calibration/constants.hpp"
#include "study/run/run_spec.hpp"
#include "study/sensitivity/changed_runs.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

class ChangedStack {
 public:
  // `run` may be empty where the experiment has but one. `where` is for errors about the choice. Keeps a
  // reference to `load`. Throws InputError, also where the run trains no transformer.
  ChangedStack(const std::string& file, const std::vector<std::string>& overrides, const std::string& run,
               const SourceLocation& where, const FileLoader& load);

  const std::string& run() const { return run_; }
  const SoftwareStack& stack() const { return stack_; }
  // The stack as the run's platform has it: a word, a path, or a map of keys with its base.
  const InputNode& written() const { return written_; }
  // Returns the run with these values of step_constants().
  RunSpec with(std::span<const Constant> constants, const ConstantValues& values) const;

 private:
  std::string file_, run_;
  std::unique_ptr<const ChangedRuns> runs_;
  std::string platform_;  // the path of its key
  SoftwareStack stack_;
  InputNode written_;
};

}  // namespace orrery::core
