// The timeline of a run of execution traces: the nodes of each rank, or of one rank where all are equal.
#pragma once

#include "base/units/rank_id.hpp"
#include "report/timeline/programs/program_timeline.hpp"
#include "workload/chakra/program/trace_program.hpp"

namespace orrery::core {

struct NodeRow {
  RankId rank;
  const ExecutionGraph& graph;
  ExecutionGraph::Id node;
  const Interval& interval;
  std::uint32_t message = 0;  // number of the message; 0: none
};
extern const Table<NodeRow> node_table;  // nodes.csv, of all ranks

// Everything that it is given has to outlive it.
class TraceTimeline final : public ProgramTimeline {
 public:
  TraceTimeline(const TraceView& traces, const TraceRules& rules, const Recording& recording)
      : ProgramTimeline(traces.program, recording, layer_passes),
        traces_(traces),
        rules_(rules),
        recording_(recording) {}

  TimelineLimit write_rows(RowSink& sink) const override;
  std::string_view csv_name() const override { return "nodes.csv"; }

 private:
  void add_counters_of(RankId rank, TimelineSink& sink) const override;

  const TraceView traces_;
  const TraceRules& rules_;
  const Recording& recording_;
};

}  // namespace orrery::core
