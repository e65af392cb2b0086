// The tables and the JSON of a run of traces. docs/outputs.md lists their columns and keys.
#pragma once

#include <string>

#include "report/origin.hpp"
#include "report/table.hpp"
#include "report/trace_statistics.hpp"

namespace orrery {

// When the last rank has ended.
Time end_of(const TraceRecording& recording);

struct RankRow;
extern const Table<RankRow> rank_table;

// A line per rank.
std::string ranks_csv(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                      const TraceRecording& recording);

// One line, without a line break.
std::string trace_json(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                       const TraceRecording& recording, const Origin& origin);

}  // namespace orrery
