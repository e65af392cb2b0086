// Says what devices keep in memory over a run, by kind.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units/time.hpp"
#include "report/table/row_sink.hpp"
#include "report/table/table.hpp"
#include "report/timeline/timeline.hpp"
#include "simulate/recording.hpp"
#include "workload/chakra/program/trace_program.hpp"

namespace orrery::core {

enum class MemoryKind : std::uint8_t {
  weights,
  gradients,
  optimizer,
  activations,
  working,
  workspace,
  tensors
};
inline constexpr std::array<std::string_view, 7> memory_kind_names{
    "weights", "gradients", "optimizer state", "activations", "working memory", "workspace", "tensors"};

// The memory that a device keeps between two times at which that changes.
struct MemoryInterval {
  Time start, end;
  std::array<std::optional<double>, memory_kind_names.size()> kept = {};  // bytes; none: not known
  double total = 0;

  const std::optional<double>& operator[](MemoryKind kind) const {
    return kept[static_cast<std::size_t>(kind)];
  }
  std::optional<double>& operator[](MemoryKind kind) { return kept[static_cast<std::size_t>(kind)]; }
};

// The memory of a device of one part, or of a rank.
struct PartMemory {
  std::string part;
  std::vector<MemoryInterval> intervals;  // in the order of time

  double peak() const;
};

struct MemoryRow {
  const PartMemory& of;
  const MemoryInterval& interval;
};
extern const Table<MemoryRow> memory_history_table;

// Returns memory-history.csv. Where there are very many intervals, neighbours are joined, and hold what the
// fullest of them holds.
TableRows memory_history_rows(std::vector<PartMemory> parts);

// Adds to the process that was begun last a counter for each kind of memory that is known.
void add_memory_counters(const PartMemory& part, TimelineSink& sink);

// Returns what the tensors of each rank take, for a run of traces that follows them.
std::vector<PartMemory> memory_of_traces(const TraceView& traces, const Recording& recording);

}  // namespace orrery::core
