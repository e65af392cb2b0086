#include "report/memory/memory_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/traces/local_memory.hpp"

namespace orrery::core {

namespace {

constexpr std::size_t max_rows = 40'000;          // of a file
constexpr std::size_t fewest_rows_of_part = 200;  // however many parts there are

std::optional<Real> bytes_of(const MemoryRow& row, MemoryKind kind) {
  const std::optional<double>& kept = row.interval[kind];
  return kept ? std::optional(Real{*kept, 0}) : std::nullopt;
}

constexpr Column<MemoryRow> memory_columns[] = {
    {"part", "",
     "Part of the program that these devices run, such as `stage 0`. It is `all` where all ranks do the "
     "same, and `rank 0` and so on for execution traces.",
     [](auto& row) { return std::string_view(row.of.part); }},
    {"start_us", "us", "Time from which on a device keeps this much.",
     [](auto& row) { return row.interval.start; }},
    {"end_us", "us", "Time until which it does.", [](auto& row) { return row.interval.end; }},
    {"weights_bytes", "bytes", "Weights that each of its devices keeps.",
     [](auto& row) { return bytes_of(row, MemoryKind::weights); }},
    {"gradients_bytes", "bytes", "Gradients that each of its devices keeps.",
     [](auto& row) { return bytes_of(row, MemoryKind::gradients); }},
    {"optimizer_bytes", "bytes", "State of the optimizer that each of its devices keeps.",
     [](auto& row) { return bytes_of(row, MemoryKind::optimizer); }},
    {"activations_bytes", "bytes",
     "Activations of micro-batches, or of layers of a batch, whose forward pass has begun and whose backward "
     "pass has not ended.",
     [](auto& row) { return bytes_of(row, MemoryKind::activations); }},
    {"working_bytes", "bytes",
     "Activations that a backward pass has computed again for the layer it works on.",
     [](auto& row) { return bytes_of(row, MemoryKind::working); }},
    {"workspace_bytes", "bytes",
     "Memory that the framework takes for itself. It is given for a model on a device only.",
     [](auto& row) { return bytes_of(row, MemoryKind::workspace); }},
    {"tensors_bytes", "bytes", "All tensors that live on a rank. It is given for execution traces only.",
     [](auto& row) { return bytes_of(row, MemoryKind::tensors); }},
    {"total_bytes", "bytes", "Sum of all these kinds.",
     [](auto& row) {
       return Real{row.interval.total, 0};
     }},
};

// Joins neighbours such that no more than `most` intervals are left.
void thin_out(std::vector<MemoryInterval>& intervals, std::size_t most) {
  const std::size_t step = (intervals.size() + most - 1) / most;
  if (step <= 1) return;
  std::vector<MemoryInterval> joined;
  for (std::size_t begin = 0; begin < intervals.size(); begin += step) {
    const auto first = intervals.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end =
        intervals.begin() + static_cast<std::ptrdiff_t>(std::min(begin + step, intervals.size()));
    MemoryInterval fullest = *std::ranges::max_element(first, end, {}, &MemoryInterval::total);
    fullest.start = first->start;
    fullest.end = std::prev(end)->end;
    joined.push_back(std::move(fullest));
  }
  intervals = std::move(joined);
}

}  // namespace

const Table<MemoryRow> memory_history_table(memory_columns);

double PartMemory::peak() const {
  double most = 0;
  for (const MemoryInterval& interval : intervals) most = std::max(most, interval.total);
  return most;
}

TableRows memory_history_rows(std::vector<PartMemory> of_parts) {
  const auto parts = std::make_shared<std::vector<PartMemory>>(std::move(of_parts));
  std::vector<MemoryRow> rows;
  for (PartMemory& part : *parts) {
    thin_out(part.intervals, std::max(fewest_rows_of_part, max_rows / parts->size()));
    for (const MemoryInterval& interval : part.intervals) rows.push_back({part, interval});
  }
  return {memory_history_table, std::move(rows), parts};
}

void add_memory_counters(const PartMemory& part, TimelineSink& sink) {
  for (std::size_t kind = 0; kind < memory_kind_names.size(); ++kind) {
    if (part.intervals.empty() || !part.intervals.front().kept[kind]) continue;
    TimelineCounter counter{
        fmt::format("memory of {}", memory_kind_names[kind]), TimelineCounter::Unit::bytes, {}};
    for (const MemoryInterval& interval : part.intervals)
      if (counter.values.empty() || counter.values.back().second != *interval.kept[kind])
        counter.values.emplace_back(interval.start, *interval.kept[kind]);
    sink.add(counter);
  }
}

std::vector<PartMemory> memory_of_traces(const TraceView& traces, const Recording& recording) {
  std::vector<PartMemory> ranks;
  // Where one rank was simulated for all, it is listed for all.
  const std::uint32_t listed = recording.classes.count() == 1 ? 1 : traces.ranks();
  for (const RankId rank : first_ids<RankId>(listed)) {
    PartMemory& of = ranks.emplace_back(PartMemory{fmt::format("rank {}", rank.value()), {}});
    Time end;
    for (const Interval& node : recording.operations_of(rank)) end = std::max(end, node.end);
    for (const auto& [time, bytes] : local_memory_use(traces, recording, rank)) {
      if (!of.intervals.empty()) of.intervals.back().end = time;
      MemoryInterval& interval = of.intervals.emplace_back(MemoryInterval{time, std::max(time, end)});
      interval[MemoryKind::tensors] = interval.total = static_cast<double>(bytes);
    }
  }
  return ranks;
}

}  // namespace orrery::core
