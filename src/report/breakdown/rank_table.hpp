// Writes the table of what each class of ranks spends a step on.
#pragma once

#include <string>

#include "report/breakdown/breakdown.hpp"
#include "report/table/row_sink.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

struct ClassTimeRow {
  const Program& program;
  const ClassTime& of;
};
extern const Table<ClassTimeRow> rank_time_table;

// Returns rank-times.csv. It is empty where all ranks do the same, and where there are more classes of ranks
// than anybody reads.
TableRows rank_times_rows(const Program& program, const Breakdown& breakdown);

}  // namespace orrery::core
