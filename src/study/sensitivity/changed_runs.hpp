// Simulates a run of an experiment again and again, each time with other values in its document.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/input/input_node.hpp"
#include "base/progress.hpp"
#include "study/run/run_pool.hpp"
#include "study/run/run_spec.hpp"
#include "study/sensitivity/machine_parameters.hpp"

namespace orrery::core {

// Settings are "key=value", as --set takes them.
using Settings = std::vector<std::string>;

class ChangedRuns {
 public:
  // Keeps references to `file` and `load`. `run` is the name of one of the document's runs.
  ChangedRuns(InputNode document, const std::string& file, std::string run, int threads,
              bool allow_out_of_memory, StepListener told, const FileLoader& load);

  // The following functions throw InputError where the run cannot have the settings, and StallError where it
  // does not end.
  RunSpec spec_with(const Settings& settings) const;
  Time time_with(const Settings& settings) const;
  // Returns none in these cases.
  std::optional<Time> time_if_possible(const Settings& settings) const;

  // Returns the parameters of the run as it is, and sets `total` to the time that it takes.
  std::vector<MachineParameter> parameters(Time& total) const;

  // Calls task(i) for all numbers below `count`, on several threads.
  template <class Task>
  void for_all(std::size_t count, std::string_view what, const Task& task) const {
    std::atomic<std::size_t> done = 0;
    run_in_order(
        count, threads_,
        [&](std::size_t i) {
          task(i);
          told_(++done, count, what);
        },
        [](std::size_t) {});
  }

 private:
  InputNode document_;
  const std::string& file_;
  std::filesystem::path folder_;
  std::string run_;
  int threads_;
  bool allow_out_of_memory_;
  StepListener told_;
  const FileLoader& load_;
};

}  // namespace orrery::core
