#include "report/trace_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "report/local_memory.hpp"

namespace orrery {

namespace {

// Quoted where it has to be. (RFC 4180)
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string_view name_of(chakra::NodeType type) {
  constexpr std::array<std::string_view, 8> names{"invalid", "metadata", "memory-load", "memory-store",
                                                  "compute", "send",     "receive",     "collective"};
  return names[static_cast<std::size_t>(type)];
}

double share_of(Time busy, Time until) {
  return until > Time() ? busy.ns() / until.ns() : 0;
}

Time end_of(const TraceRecording& recording) {
  Time end;
  for (const RankRecording& rank : recording.ranks) end = std::max(end, rank.finish);
  return end;
}

double busy_ns(const RankStatistics& of, NodeClass node_class) {
  return of.busy[static_cast<std::size_t>(node_class)].value_or(Time()).ns();
}

}  // namespace

std::string ranks_csv(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                      const TraceRecording& recording) {
  std::string text =
      "rank,trace,finish_ns,exposed_ns,wall_ns,gpu_ns,cpu_ns,communication_ns,remote_memory_ns,overlap_ns";
  text += machine.track_local_memory ? ",peak_memory_bytes\n" : "\n";
  for (std::size_t r = 0; r < traces.size(); ++r) {
    const RankStatistics of = rank_statistics(*traces[r].graph, recording.ranks[r], machine.roofline);
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}", r, cell(traces[r].file), of.finish.ns(),
                        (of.finish - of.gpu_time).ns(), of.wall.ns(), busy_ns(of, NodeClass::gpu),
                        busy_ns(of, NodeClass::cpu), busy_ns(of, NodeClass::communication),
                        busy_ns(of, NodeClass::remote_memory), of.overlap.ns());
    if (machine.track_local_memory)
      text += fmt::format(",{}", peak_local_memory(*traces[r].graph, recording.ranks[r]));
    text += '\n';
  }
  return text;
}

std::string nodes_csv(const std::vector<RankTrace>& traces, const TraceRecording& recording) {
  std::string text = "rank,node,name,type,issued_ns,finished_ns\n";
  for (std::size_t r = 0; r < traces.size(); ++r) {
    const chakra::TraceGraph& graph = *traces[r].graph;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      const chakra::Node& node = graph.nodes[n];
      const Interval& interval = recording.ranks[r].nodes[n];
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", r, node.id,
                     cell(graph.texts[node.name]), name_of(node.type), interval.start.ns(),
                     interval.end.ns());
    }
  }
  return text;
}

std::string links_csv(const TraceRecording& recording) {
  const Time until = end_of(recording);
  std::string text = "from,to,dimension,busy_ns,utilization,bytes,messages\n";
  for (const LinkUse& link : recording.links) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{:.6f},{},{}\n", cell(link.from), cell(link.to),
                   link.dimension, link.busy.ns(), share_of(link.busy, until), link.bytes.count(),
                   link.messages);
  }
  return text;
}

std::string trace_json(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                       const TraceRecording& recording) {
  nlohmann::json ranks = nlohmann::json::array();
  for (std::size_t r = 0; r < traces.size(); ++r) {
    const RankStatistics of = rank_statistics(*traces[r].graph, recording.ranks[r], machine.roofline);
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
      ranks.back()["peak_memory_bytes"] = peak_local_memory(*traces[r].graph, recording.ranks[r]);
  }
  const Time end = end_of(recording);
  nlohmann::json document{{"npus", traces.size()},
                          {"network_model", machine.network == NetworkModel::link ? "link" : "analytical"},
                          {"total_us", end.us()},
                          {"finish_order", recording.finish_order},
                          {"ranks", ranks},
                          {"messages", recording.messages}};
  const auto busiest = std::max_element(recording.links.begin(), recording.links.end(),
                                        [](const LinkUse& a, const LinkUse& b) { return a.busy < b.busy; });
  if (busiest != recording.links.end()) {
    document["busiest_link"] = {{"from", busiest->from},
                                {"to", busiest->to},
                                {"dimension", busiest->dimension},
                                {"utilization", share_of(busiest->busy, end)}};
  }
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace orrery
