#include "report/trace_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "report/csv_cell.hpp"
#include "report/link_report.hpp"
#include "report/local_memory.hpp"

namespace orrery {

namespace {

std::string_view name_of(chakra::NodeType type) {
  constexpr std::array<std::string_view, 8> names{"invalid", "metadata", "memory-load", "memory-store",
                                                  "compute", "send",     "receive",     "collective"};
  return names[static_cast<std::size_t>(type)];
}

double busy_ns(const RankStatistics& of, NodeClass node_class) {
  return of.busy[static_cast<std::size_t>(node_class)].value_or(Time()).ns();
}

}  // namespace

Time end_of(const TraceRecording& recording) {
  Time end;
  for (const RankRecording& rank : recording.ranks) end = std::max(end, rank.finish);
  return end;
}

std::string ranks_csv(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                      const TraceRecording& recording) {
  std::string text =
      "rank,trace,finish_ns,exposed_ns,wall_ns,gpu_ns,cpu_ns,communication_ns,remote_memory_ns,overlap_ns";
  text += machine.track_local_memory ? ",peak_memory_bytes\n" : "\n";
  for (std::size_t r = 0; r < traces.size(); ++r) {
    const RankStatistics of = rank_statistics(*traces[r].graph, recording.of(r), machine.roofline);
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}", r, csv_cell(traces[r].file), of.finish.ns(),
                        (of.finish - of.gpu_time).ns(), of.wall.ns(), busy_ns(of, NodeClass::gpu),
                        busy_ns(of, NodeClass::cpu), busy_ns(of, NodeClass::communication),
                        busy_ns(of, NodeClass::remote_memory), of.overlap.ns());
    if (machine.track_local_memory)
      text += fmt::format(",{}", peak_local_memory(*traces[r].graph, recording.of(r)));
    text += '\n';
  }
  return text;
}

std::string nodes_csv(const std::vector<RankTrace>& traces, const TraceRecording& recording) {
  std::string text = "rank,node,name,type,issued_ns,finished_ns\n";
  for (std::size_t r = 0; r < traces.size(); ++r) {
    const chakra::TraceGraph& graph = *traces[r].graph;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      const Interval& interval = recording.of(r).nodes[n];
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", r, graph.nodes.id(n),
                     csv_cell(graph.nodes.name(n)), name_of(graph.nodes.type(n)), interval.start.ns(),
                     interval.end.ns());
    }
  }
  return text;
}

std::string trace_json(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                       const TraceRecording& recording) {
  nlohmann::json ranks = nlohmann::json::array();
  for (std::size_t r = 0; r < traces.size(); ++r) {
    const RankStatistics of = rank_statistics(*traces[r].graph, recording.of(r), machine.roofline);
    ranks.push_back({{"rank", r},
                     {"finish_us", of.finish.us()},
                     {"exposed_us", (of.finish - of.gpu_time).ns() / 1000},
                     {"wall_us", of.wall.us()},
                     {"gpu_us", busy_ns(of, NodeClass::gpu) / 1000},
                     {"cpu_us", busy_ns(of, NodeClass::cpu) / 1000},
                     {"communication_us", busy_ns(of, NodeClass::communication) / 1000},
                     {"remote_memory_us", busy_ns(of, NodeClass::remote_memory) / 1000},
                     {"overlap_us", of.overlap.us()}});
    if (machine.track_local_memory)
      ranks.back()["peak_memory_bytes"] = peak_local_memory(*traces[r].graph, recording.of(r));
  }
  const Time end = end_of(recording);
  const nlohmann::json document{
      {"npus", traces.size()},
      {"network_model", word_of(network_model_words, machine.network)},
      {"total_us", end.us()},
      {"finish_order", recording.finish_order},
      {"ranks", ranks},
      {"messages", recording.messages},
      {"simulated", recording.folding},
      {"busiest_links", to_json(busiest_links(recording.links, machine.topology, end))}};
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace orrery
