// The timeline of a program: what the lowest rank of each part computes, sends, receives and exchanges. Where
// ranks issue in slots, it has each rank that was simulated.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "report/memory_history.hpp"
#include "report/table.hpp"
#include "report/timeline/timeline.hpp"
#include "simulate/simulation.hpp"

namespace orrery {

struct TimelineRow {
  const Program& program;
  const ProgramPart& part;
  Operation operation;
  ExecutionGraph::Id id;
  std::string_view layer, pass;
  const Interval& interval;
  std::uint32_t message = 0;       // number of the message; 0: none
  const WorkName* work = nullptr;  // null: nobody says what it computes
};
extern const Table<TimelineRow> timeline_table;       // timeline.csv, in the order of the program
extern const Table<TimelineRow> timeline_fact_table;  // what other formats say besides

// Words by Pass, for layers and for transformers, whose backward passes are simulated as a whole.
using PassWords = std::array<std::string_view, passes_of_a_layer>;
inline constexpr PassWords layer_passes{"forward", "input-gradient", "weight-gradient"};
inline constexpr PassWords whole_passes{"forward", "backward", "update"};

// Everything that it is given has to outlive it. `memory` returns the memory of the program's parts, for
// formats that show it. Null: it is not known.
class ProgramTimeline : public Timeline {
 public:
  ProgramTimeline(const Program& program, const Recording& recording, const PassWords& passes,
                  std::function<std::vector<PartMemory>()> memory = {})
      : program_(program), recording_(recording), passes_(passes), memory_(std::move(memory)) {}

  TimelineLimit describe(TimelineSink& sink) const override;
  TimelineLimit write_csv(FileWriter& file) const override;
  std::string_view csv_name() const override { return "timeline.csv"; }

 protected:
  // Adds the counters of a rank that is shown by itself.
  virtual void add_counters_of(std::uint32_t /*rank*/, TimelineSink& /*sink*/) const {}

 private:
  TimelineLimit write_csv_of_slots(FileWriter& file) const;

  const Program& program_;
  const Recording& recording_;
  const PassWords& passes_;
  const std::function<std::vector<PartMemory>()> memory_;
};

}  // namespace orrery
