// The timeline of a program: what the lowest rank of each part computes, sends, receives and exchanges. Where
// ranks issue in slots, it has each rank that was simulated.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units/rank_id.hpp"
#include "report/memory/memory_history.hpp"
#include "report/timeline/programs/timeline_rows.hpp"
#include "report/timeline/timeline.hpp"
#include "simulate/run/simulation.hpp"

namespace orrery::core {

// Everything that it is given has to outlive it. `memory` returns the memory of the program's parts, for
// formats that show it. Null: it is not known.
class ProgramTimeline : public Timeline {
 public:
  ProgramTimeline(const Program& program, const Recording& recording, const PassWords& passes,
                  std::function<std::vector<PartMemory>()> memory = {})
      : program_(program), recording_(recording), passes_(passes), memory_(std::move(memory)) {}

  TimelineLimit describe(TimelineSink& sink) const override;
  TimelineLimit write_rows(RowSink& sink) const override;
  std::string_view csv_name() const override { return "timeline.csv"; }

 protected:
  // Adds the counters of a rank that is shown by itself.
  virtual void add_counters_of(RankId /*rank*/, TimelineSink& /*sink*/) const {}

 private:
  TimelineLimit write_rows_of_slots(RowSink& sink) const;

  const Program& program_;
  const Recording& recording_;
  const PassWords& passes_;
  const std::function<std::vector<PartMemory>()> memory_;
};

}  // namespace orrery::core
