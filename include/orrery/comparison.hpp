// Comparisons: what changes from one run to another, and from a simulated run to a measured one.
//
//   const orrery::Table times = orrery::compare(run, run).value().table("times").value();
//   for (std::size_t row = 0; row < times.rows(); ++row)
//     std::cout << *times.text(row, "what") << ' ' << times.real(row, "change_us").value_or(0) << " us\n";
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/diagnostics.hpp"
#include "orrery/export.hpp"
#include "orrery/findings.hpp"
#include "orrery/run.hpp"

namespace orrery {

namespace core {
struct Access;
}

// Lays two runs side by side as `orrery compare` does. The tables are "inputs", "times", "layers" and
// "links", with a row for each thing that changes. The problem is that of a run which failed.
ORRERY_API Result<Findings> compare(const Run& before, const Run& after);

// A measured training step, as the PyTorch profiler recorded it. Copies share it, and it never changes, so
// several threads may use one.
class ORRERY_API Profile {
 public:
  struct State;
  explicit Profile(std::shared_ptr<const State> state);

  // Reads a file for each rank, or folders of them: Kineto traces (.json, .json.gz) or execution traces with
  // durations (.et). The problem says which file cannot be read, and why.
  static Result<Profile> load(const std::vector<std::string>& files);

  std::size_t ranks() const;                         // number of ranks that were measured
  const std::vector<std::string>& warnings() const;  // that reading gave, each with its place

 private:
  friend struct core::Access;

  std::shared_ptr<const State> state_;
};

// Simulates the run once more, with all its operators, and lays it beside the measured step as `orrery
// compare
// --measured` does. `step` is the number of the measured step; none: the mean of all. The tables are
// "measured", with a row for each activity, "parts", "ranks" and "kernels". The problem says why they cannot
// be compared: the run failed, was read from results, or a side has no such step.
ORRERY_API Result<Findings> compare(const Run& simulated, const Profile& measured,
                                    std::optional<std::int64_t> step = {}, const StudyOptions& options = {});

}  // namespace orrery
