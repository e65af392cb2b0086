#include "report/traces/trace_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/traces/local_memory.hpp"

namespace orrery::core {

struct RankRow {
  RankId rank;
  const std::string& trace;
  RankStatistics of;
  std::optional<std::uint64_t> peak_memory;  // bytes, with `track-local-mem`
};

namespace {

Time busy(const RankRow& row, NodeClass node_class) {
  return row.of.busy[static_cast<std::size_t>(node_class)].value_or(Time());
}

constexpr Column<RankRow> rank_columns[] = {
    {"rank", "", "Number of the NPU.", [](auto& row) { return row.rank; }, "rank"},
    {"trace", "", "File of its trace.", [](auto& row) { return std::string_view(row.trace); }, "", Form::csv},
    {"finish_ns", "ns", "Time at which its last node ended.", [](auto& row) { return row.of.finish; }, "end"},
    {"exposed_ns", "ns",
     "Time until its last node ended, less all its compute. The number is negative where compute nodes that "
     "overlap count for more than that.",
     [](auto& row) { return row.of.finish - row.of.gpu_time; }, "exposed"},
    {"wall_ns", "ns", "Latest time at which one of its nodes ended.", [](auto& row) { return row.of.wall; }},
    {"gpu_ns", "ns", "Time during which at least one node computed on the device.",
     [](auto& row) { return busy(row, NodeClass::gpu); }, "compute"},
    {"cpu_ns", "ns", "Time during which at least one node computed on the CPU.",
     [](auto& row) { return busy(row, NodeClass::cpu); }},
    {"communication_ns", "ns", "Time during which at least one collective, send or receive was under way.",
     [](auto& row) { return busy(row, NodeClass::communication); }, "communication"},
    {"remote_memory_ns", "ns",
     "Time during which at least one load from or store to remote memory was under way.",
     [](auto& row) { return busy(row, NodeClass::remote_memory); }},
    {"overlap_ns", "ns",
     "How much longer compute and communication would take one after the other than all nodes took together.",
     [](auto& row) { return row.of.overlap; }},
    {"peak_memory_bytes", "bytes",
     "Most memory that its tensors take at one time. It is known only with `track-local-mem`.",
     [](auto& row) { return row.peak_memory; }, "memory"},
};

std::vector<RankRow> rank_rows(const TraceView& traces, const TraceRules& rules, const Recording& recording) {
  std::vector<RankRow> rows;
  for (const RankId rank : first_ids<RankId>(traces.ranks())) {
    rows.push_back({rank, traces.program.file_of(rank), rank_statistics(traces, recording, rank), {}});
    if (rules.track_local_memory) rows.back().peak_memory = peak_local_memory(traces, recording, rank);
  }
  return rows;
}

}  // namespace

const Table<RankRow> rank_table(rank_columns);

TableRows ranks_rows(const TraceView& traces, const TraceRules& rules, const Recording& recording) {
  const std::size_t without_memory = rank_table.size() - (rules.track_local_memory ? 0 : 1);
  return {rank_table.first(without_memory), rank_rows(traces, rules, recording)};
}

std::string trace_json(const TraceView& traces, const TraceRules& rules, const Summary& summary,
                       const Recording& recording, const Origin& origin) {
  const std::vector<RankRow> rows = rank_rows(traces, rules, recording);
  nlohmann::json document = to_json(summary);
  document["origin"] = to_json(origin);
  nlohmann::json& order = document["finish_order"] = nlohmann::json::array();
  for (const RankId rank : recording.finish_order) order.push_back(rank.value());
  document["ranks"] = json_of<nlohmann::json>(rank_table, rows);
  document["simulated"] = recording.simulated;
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace orrery::core
