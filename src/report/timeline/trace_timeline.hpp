// The timeline of a run of execution traces: the nodes of each rank, or of one where all are equal.
#pragma once

#include <cstdint>
#include <vector>

#include "report/table.hpp"
#include "report/timeline/timeline.hpp"
#include "simulate/trace/trace_machine.hpp"
#include "simulate/trace/trace_recording.hpp"

namespace orrery {

struct NodeRow {
  std::size_t rank;
  const chakra::TraceGraph& graph;
  std::size_t node;
  const Interval& interval;
  std::uint32_t message = 0;  // its number; 0: none
};
extern const Table<NodeRow> node_table;       // nodes.csv, of all ranks
extern const Table<NodeRow> node_fact_table;  // what other formats say besides

// All that it is given has to outlive it.
class TraceTimeline : public Timeline {
 public:
  TraceTimeline(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                const TraceRecording& recording)
      : traces_(traces), machine_(machine), recording_(recording) {}

  TimelineLimit describe(TimelineSink& sink) const override;
  TimelineLimit write_csv(FileWriter& file) const override;
  std::string_view csv_name() const override { return "nodes.csv"; }

 private:
  const std::vector<RankTrace>& traces_;
  const TraceMachine& machine_;
  const TraceRecording& recording_;
};

}  // namespace orrery
