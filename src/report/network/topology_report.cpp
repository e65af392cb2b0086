#include "report/network/topology_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/text/readable.hpp"
#include "network/packet/flits/fabric_graph.hpp"
#include "report/network/graph_edges.hpp"
#include "topology/flits/flit_network_file.hpp"
#include "topology/graph/measures/bisection.hpp"
#include "topology/graph/measures/graph_levels.hpp"
#include "topology/graph/measures/planes.hpp"
#include "topology/graph/measures/reachability.hpp"
#include "topology/graph/node_kinds.hpp"

namespace orrery::core {
namespace {

std::optional<double> most_of(const std::optional<Diameter>& diameter, double unit) {
  if (!diameter || diameter->at_most == infinite_distance) return std::nullopt;
  return static_cast<double>(diameter->at_most) / unit;
}
std::optional<double> least_of(const std::optional<Diameter>& diameter, double unit) {
  return diameter ? std::optional(static_cast<double>(diameter->at_least) / unit) : std::nullopt;
}

constexpr double ps_per_us = 1e6;

constexpr Column<TopologyReport> whole_network_columns[] = {
    {"npus", "", "Number of NPUs.", [](auto& row) { return row.npus; }},
    {"groups", "", "Sizes of the groups that NPUs form, innermost first.",
     [](auto& row) { return fmt::format("{}", fmt::join(row.groups, " x ")); }},
    {"hops_at_least", "",
     "Hops between the two NPUs that are farthest apart, or a lower bound. It is missing where some NPU does "
     "not reach another.",
     [](auto& row) { return least_of(row.hops, 1); }},
    {"hops_at_most", "",
     "The same number, or an upper bound where finding the exact one would take too long.",
     [](auto& row) { return most_of(row.hops, 1); }},
    {"latency_at_least_us", "us", "The largest latency between two NPUs, or a lower bound.",
     [](auto& row) { return least_of(row.latency, ps_per_us); }},
    {"latency_at_most_us", "us", "The same latency, or an upper bound.",
     [](auto& row) { return most_of(row.latency, ps_per_us); }},
    {"injection_gb_per_s", "GB/s", "Bandwidth at which half of the NPUs can send.",
     [](auto& row) { return row.injection; }},
    {"bisection_gb_per_s", "GB/s", "Maximum flow between the NPUs of lower and of upper numbers.",
     [](auto& row) { return row.bisection; }},
    {"oversubscription", "ratio",
     "What the NPUs of a half can send into the network between the innermost groups, divided by what passes "
     "its middle.",
     [](auto& row) { return row.oversubscription(); }},
};

constexpr Column<NodesRow> nodes_columns[] = {
    {"kind", "", "Kind of the node: `npu`, `nic`, `cpu`, `pcie-switch` or `switch`.",
     [](auto& row) { return word_of(node_kind_words, row.kind); }, "kind"},
    {"name", "", "Name of these nodes, without the number.", [](auto& row) { return row.name; }, "name"},
    {"nodes", "", "Number of these nodes.", [](auto& row) { return row.nodes; }, "nodes"},
};

constexpr Column<CablesRow> cables_columns[] = {
    {"ends", "",
     "Kinds of nodes that these cables join, as names without numbers. `a - b` leads both ways, `a > b` "
     "leads one way.",
     [](auto& row) { return row.ends; }, "links"},
    {"bandwidth_gb_per_s", "GB/s", "Bandwidth of one of these cables in one direction.",
     [](auto& row) { return row.properties.bandwidth.bytes_per_ns(); }, "GB/s"},
    {"latency_us", "us", "Latency from one end to the other.",
     [](auto& row) { return row.properties.latency; }, "latency"},
    {"loss", "share", "Probability that a packet is lost.", [](auto& row) { return row.properties.loss; }},
    {"cables", "", "Number of these cables. A cable that leads both ways counts once.",
     [](auto& row) { return row.cables; }, "cables"},
};

constexpr Column<LevelRow> level_columns[] = {
    {"level", "", "Number of hops to the nearest NPU.", [](auto& row) { return row.links.level; }, "level"},
    {"names", "", "Nodes of the level that have links to the next one.", [](auto& row) { return row.names; },
     "nodes"},
    {"nodes", "", "Number of these nodes.", [](auto& row) { return row.links.nodes; }, "count"},
    {"down_gb_per_s", "GB/s", "Bandwidth of all links into these nodes from the level below.",
     [](auto& row) { return row.links.down; }, "GB/s from below"},
    {"up_gb_per_s", "GB/s", "Bandwidth of all links from these nodes to the level above.",
     [](auto& row) { return row.links.up; }, "GB/s up"},
    {"oversubscription", "ratio", "Bandwidth from below divided by bandwidth to the level above.",
     [](auto& row) { return row.links.oversubscription(); }, "oversubscription"},
};

constexpr Column<CutRow> cut_columns[] = {
    {"from", "", "NPUs, none of which reaches any NPU of `to`.", [](auto& row) { return row.from; }, "from"},
    {"npus_from", "", "Number of these NPUs.", [](auto& row) { return row.npus_from; }},
    {"to", "", "The NPUs that they do not reach.", [](auto& row) { return row.to; }, "do not reach"},
    {"npus_to", "", "Number of these NPUs.", [](auto& row) { return row.npus_to; }},
};

std::string_view stem_of(const std::string& name) {
  return std::string_view(name).substr(0, name.find_last_not_of("0123456789") + 1);
}

std::vector<NodesRow> rows_of_nodes(const NetworkGraph& graph) {
  std::map<std::pair<NodeKind, std::string_view>, std::size_t> counts;
  for (const NodeId node : graph.all_nodes())
    ++counts[{graph.node(node).kind, stem_of(graph.node(node).name)}];
  std::vector<NodesRow> classes;
  for (const auto& [key, count] : counts) classes.push_back({key.first, std::string(key.second), count});
  return classes;
}

// Cables that are alike in both directions count once. The end that was added first comes first.
std::vector<CablesRow> rows_of_cables(const NetworkGraph& graph) {
  using Key = std::tuple<NodeKind, std::string_view, NodeKind, std::string_view, bool, double, Time, double>;
  std::map<Key, CablesRow> classes;
  for (const LinkId id : graph.all_links()) {
    const NetworkLink& link = graph.link(id);
    const bool both = graph.reverse(id) != LinkId::none;
    if (both && graph.reverse(id) < id) continue;
    const NodeId first = both ? std::min(link.from, link.to) : link.from;
    const NodeId last = both ? std::max(link.from, link.to) : link.to;
    const std::string_view a = stem_of(graph.node(first).name), b = stem_of(graph.node(last).name);
    CablesRow& found = classes[{graph.node(first).kind, a, graph.node(last).kind, b, both,
                                link.bandwidth.bytes_per_ns(), link.latency, link.loss}];
    found.ends = fmt::format("{} {} {}", a, both ? "-" : ">", b);
    found.properties = link;
    ++found.cables;
  }
  std::vector<CablesRow> rows;
  for (const auto& [key, row] : classes) rows.push_back(row);
  return rows;
}

std::vector<LevelRow> level_rows(const NetworkGraph& graph) {
  std::vector<LevelRow> rows;
  const std::vector<int> levels = levels_of_nodes(graph);
  for (const LevelLinks& links : links_of_levels(graph)) {
    std::map<std::string_view, bool> names;
    for (const NodeId node : graph.all_nodes())
      if (levels[node.index()] == links.level && leads_up(graph, levels, node))
        names[stem_of(graph.node(node).name)] = true;
    std::vector<std::string_view> listed;
    for (const auto& name : names) listed.push_back(name.first);
    rows.push_back({links, fmt::format("{}", fmt::join(listed, ", "))});
  }
  return rows;
}

std::string latency_text(std::int64_t ps) {
  return readable(Time::from_ps(ps));
}

std::string range_text(const Diameter& diameter, std::string (*text)(std::int64_t)) {
  if (diameter.at_least == diameter.at_most) return text(diameter.at_least);
  if (diameter.at_most == infinite_distance) return "at least " + text(diameter.at_least);
  return fmt::format("{} to {}", text(diameter.at_least), text(diameter.at_most));
}

std::string bandwidth_text(double gb_per_s) {
  return readable_count(gb_per_s * 1e9, "B/s");
}

std::string how_oversubscribed(const TopologyReport& report) {
  if (report.into_network == report.injection && report.bisection_between == report.bisection)
    return "injection by bisection";
  return fmt::format("{} into the network between machines by {}", bandwidth_text(report.into_network),
                     bandwidth_text(report.bisection_between));
}

std::string whole_network(const TopologyReport& report) {
  std::string text = report_line("NPUs", readable_count(static_cast<double>(report.npus)),
                                 fmt::format("groups of {}", fmt::join(report.groups, " x ")));
  if (report.hops && report.latency) {
    const auto hops = [](std::int64_t count) { return fmt::format("{} hops", count); };
    text += report_line("diameter", range_text(*report.hops, hops), "such as " + report.farthest);
    text += report_line("  in latency", range_text(*report.latency, latency_text), "least sum of latencies");
  }
  text += report_line("injection bandwidth", bandwidth_text(report.injection), "of half of the NPUs");
  text += report_line("bisection bandwidth", bandwidth_text(report.bisection),
                      "maximum flow between NPUs of lower and upper numbers");
  if (const auto ratio = report.oversubscription())
    text += report_line("oversubscription", fmt::format("{:.2f}x", *ratio), how_oversubscribed(report));
  return text;
}

nlohmann::ordered_json diameter_json(const Diameter& diameter, double unit) {
  nlohmann::ordered_json json{{"at_least", static_cast<double>(diameter.at_least) / unit}};
  if (diameter.at_most != infinite_distance) json["at_most"] = static_cast<double>(diameter.at_most) / unit;
  return json;
}

}  // namespace

const Table<TopologyReport> whole_network_table = whole_network_columns;
const Table<NodesRow> nodes_table = nodes_columns;
const Table<CablesRow> cables_table = cables_columns;
const Table<LevelRow> level_table = level_columns;
const Table<CutRow> cut_table = cut_columns;

std::optional<double> TopologyReport::oversubscription() const {
  return bisection_between > 0 ? std::optional(into_network / bisection_between) : std::nullopt;
}

BuiltNetwork read_network_as_graph(std::string_view text, const std::string& file, Warnings& warnings,
                                   const Extensions& extensions) {
  if (is_flit_network_file(text)) return graph_of(*read_flit_network_file(text, file, warnings).flits);
  return read_graph_file(text, file, warnings, extensions);
}

TopologyReport describe_network(const BuiltNetwork& network, const std::string& file) {
  const NetworkGraph& graph = network.graph;
  TopologyReport report{file,
                        network.groups,
                        graph.npus(),
                        rows_of_nodes(graph),
                        rows_of_cables(graph),
                        level_rows(graph),
                        {},
                        {},
                        {},
                        {},
                        0,
                        0,
                        0,
                        0};
  for (const NetworkCut& cut : find_cuts(graph))
    report.cuts.push_back(
        {names_of_nodes(graph, cut.from), names_of_nodes(graph, cut.to), cut.from.size(), cut.to.size()});
  if (report.cuts.empty()) {
    report.hops = find_diameter(graph, Weight::hops);
    report.latency = find_diameter(graph, Weight::latency);
    report.farthest =
        fmt::format("{} to {}", graph.node(report.hops->from).name, graph.node(report.hops->to).name);
  }
  report.injection = injection_bandwidth(graph).bytes_per_ns();
  report.bisection = bisection_bandwidth(graph).bytes_per_ns();
  const std::vector<bool> between =
      network.groups.empty() ? std::vector<bool>() : links_between_groups(graph, network.groups.front());
  report.into_network = bandwidth_into_network(graph, between).bytes_per_ns();
  report.bisection_between = bisection_bandwidth(graph, between).bytes_per_ns();
  return report;
}

std::string topology_text(const TopologyReport& report) {
  std::string text = report.file + "\n" + whole_network(report);
  text += "\n" + text_of(nodes_table, report.nodes);
  if (!report.cables.empty()) text += "\n" + text_of(cables_table, report.cables);
  if (!report.levels.empty()) text += "\n" + text_of(level_table, report.levels);
  if (!report.cuts.empty())
    text += "\nnot every NPU reaches every other one:\n" + text_of(cut_table, report.cuts);
  return text;
}

nlohmann::ordered_json topology_to_json(const TopologyReport& report) {
  nlohmann::ordered_json json{{"file", report.file}, {"npus", report.npus}, {"groups", report.groups}};
  if (report.hops) json["diameter_hops"] = diameter_json(*report.hops, 1);
  if (report.latency) json["diameter_latency_us"] = diameter_json(*report.latency, ps_per_us);
  json["injection_gb_per_s"] = report.injection;
  json["bisection_gb_per_s"] = report.bisection;
  if (const auto ratio = report.oversubscription()) json["oversubscription"] = *ratio;
  json["nodes"] = json_of<nlohmann::ordered_json>(nodes_table, report.nodes);
  json["cables"] = json_of<nlohmann::ordered_json>(cables_table, report.cables);
  json["levels"] = json_of<nlohmann::ordered_json>(level_table, report.levels);
  json["cuts"] = json_of<nlohmann::ordered_json>(cut_table, report.cuts);
  return json;
}

}  // namespace orrery::core
