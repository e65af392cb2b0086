// Adds up what ranks spend on the stages of a training step (docs/models/reports.md, Stages of training).
#pragma once

#include <optional>
#include <span>

#include "program/program.hpp"
#include "report/breakdown/rank_sums.hpp"
#include "report/breakdown/spans.hpp"

namespace orrery::core {

// Means over ranks. Together with the time after their own ends they add up to the run's total, except for
// the time that ASTRA-sim 1.0's dialect takes from state to state.
struct StageTimes {
  Time forward, backward;  // passes, with the waits for what they exchange
  Time update;  // of weights: exchanges of gradients and weights that are waited for, and their start by the
                // host
  Time evaluation;  // of the outputs
};

class StageSums {
 public:
  // Keeps a reference.
  explicit StageSums(const Program& program);

  // Adds ranks of a part that spend their time like this.
  void add(std::uint32_t part, std::span<const Span> spans, std::uint64_t ranks);
  // Returns none where operations do not say which pass they belong to, as in execution traces.
  std::optional<StageTimes> mean() const;

 private:
  RankSum& stage_of(const ExecutionGraph& graph, const Span& span);

  const Program& program_;
  bool has_passes_;
  RankSum forward_, backward_, update_, evaluation_;
  std::uint64_t ranks_ = 0;
};

}  // namespace orrery::core
