// A plan says how a program is going to be simulated on a machine. There is a kind of plan for each way in
// which ranks issue their operations.
#pragma once

#include <memory>
#include <string>

#include "base/progress.hpp"
#include "simulate/collectives/collective_survey.hpp"
#include "simulate/machine.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

class RunPlan;
using SimulationPlan = std::shared_ptr<const RunPlan>;

class RunPlan {
 public:
  virtual ~RunPlan() = default;

  // Simulates the program and the machine that the plan was made for. Throws what simulate() throws, and
  // AmbiguousEventOrder where it turns out on the way that the folded run would not be exact.
  virtual Recording run(const Program& program, const Machine& machine,
                        const ProgressListener& progress) const = 0;
  // Returns what to try next after AmbiguousEventOrder: a plan that simulates more. `reason` says why, in
  // words.
  virtual SimulationPlan less_folded(const Machine& machine, const std::string& reason) const = 0;
  // Returns what the collectives use of the machine. Null: ranks plan their collectives themselves.
  virtual const CollectiveSurvey& survey() const = 0;
};

}  // namespace orrery::core
