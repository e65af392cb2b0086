// Makes the tables and the JSON of a run of traces. docs/outputs/traces.md lists their columns and keys.
#pragma once

#include <string>

#include "report/summary/origin.hpp"
#include "report/summary/summary.hpp"
#include "report/table/row_sink.hpp"
#include "report/table/table.hpp"
#include "report/traces/trace_statistics.hpp"

namespace orrery::core {

struct RankRow;
extern const Table<RankRow> rank_table;

// Returns a line per rank.
TableRows ranks_rows(const TraceView& traces, const TraceRules& rules, const Recording& recording);

// Returns one line, without a line break.
std::string trace_json(const TraceView& traces, const TraceRules& rules, const Summary& summary,
                       const Recording& recording, const Origin& origin);

}  // namespace orrery::core
