// The operations of a program as rows of tables: those of timeline.csv, and the facts that other formats
// show.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.hpp"
#include "report/table/table.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

// Words by Pass, for layers and for transformers, whose backward passes are simulated as a whole.
using PassWords = std::array<std::string_view, passes_of_a_layer>;
inline constexpr PassWords layer_passes{"forward", "input-gradient", "weight-gradient"};
inline constexpr PassWords whole_passes{"forward", "backward", "update"};

// Refers to the program and to the interval.
struct TimelineRow {
  const Program& program;
  const ProgramPart& part;
  Operation operation;
  ExecutionGraph::Id id;
  std::string_view layer, pass;
  const Interval& interval;
  std::uint32_t message = 0;       // number of the message; 0: none
  const WorkName* work = nullptr;  // null: nobody says what it computes

  bool is_collective() const { return operation.kind == OperationKind::collective; }
  bool is_message() const { return orrery::core::is_message(operation.kind); }
  bool is_named() const { return part.graph.is_named(); }
  Bytes bytes() const { return is_collective() ? operation.collective.size : operation.message.size; }
  // These return the kind of the collective, its group, and how many ranks take part; nothing if the row is
  // none.
  std::string_view collective() const;
  std::string_view group() const;
  std::size_t group_size() const;
  // Returns what the operation is called where it is drawn.
  std::string name() const;
};
extern const Table<TimelineRow> timeline_table;       // timeline.csv, in the order of the program
extern const Table<TimelineRow> timeline_fact_table;  // what other formats say besides

// Returns whether operations of that kind have rows.
bool has_row(OperationKind kind);
// `operations` are those of a rank of the part.
TimelineRow row_of(const Program& program, const ProgramPart& part, const std::vector<Interval>& operations,
                   ExecutionGraph::Id id, const PassWords& passes);

}  // namespace orrery::core
