#include "report/network/flow_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/network/packet_report.hpp"

namespace orrery::core {
namespace {

Time completion_time(const FlowRow& row) {
  return row.times.end - row.times.start;
}

constexpr Column<FlowRow> flow_columns[] = {
    {"flow", "", "Place of the flow in the file, counted from 0.", [](auto& row) { return row.number; }},
    {"source", "", "NPU that sends.", [](auto& row) { return row.flow.source; }},
    {"destination", "", "NPU that receives.", [](auto& row) { return row.flow.destination; }},
    {"bytes", "bytes", "Size of the flow.", [](auto& row) { return row.flow.bytes; }},
    {"start_us", "us", "Time at which the flow started.", [](auto& row) { return row.times.start; }},
    {"end_us", "us", "Time at which its last byte arrived.", [](auto& row) { return row.times.end; }},
    {"fct_us", "us", "Flow completion time: the time from its start to its end.",
     [](auto& row) { return completion_time(row); }},
};

// These columns follow the others where the network model has acknowledgements.
constexpr Column<FlowRow> packet_flow_columns[] = {
    {"acknowledged_us", "us", "Time at which its sender knew that the last byte had arrived.",
     [](auto& row) { return row.times.acknowledged; }},
    {"resent", "bytes",
     "Bytes of the flow that its sender sent again because they had not arrived, or seemed not to have.",
     [](auto& row) { return row.times.facts.resent; }},
    {"alone_us", "us", "Time that the flow would take if it were alone in the network.",
     [](auto& row) { return row.times.facts.alone; }},
    {"slowdown", "ratio", "Flow completion time divided by the time that the flow would take alone.",
     [](auto& row) {
       const std::optional<Time> alone = row.times.facts.alone;
       return alone > Time() ? std::optional(Real{completion_time(row).ns() / alone->ns(), 6}) : std::nullopt;
     }},
};

constexpr Column<BusiestLinks> flow_link_columns[] = {
    {"from", "", "Node that sends into the link.", [](auto& row) { return std::string_view(row.from); }},
    {"to", "",
     "Node at the other end of the link. On a network of flits, the name of the vnet whose wire it is "
     "follows.",
     [](auto& row) { return std::string_view(row.to); }},
    {"links", "", "Number of links that carried the same, this one included.",
     [](auto& row) { return row.links; }},
    {"flows", "", "Number of flows that each of these links carried.",
     [](auto& row) { return row.load.messages; }},
    {"bytes", "bytes", "Bytes that each of these links carried.", [](auto& row) { return row.load.bytes; }},
    {"busy_us", "us", "Time that these bytes take at the link's full bandwidth.",
     [](auto& row) { return row.busy; }},
    {"busy_share", "share", "Busy time as a share of the time until the last flow has ended.",
     [](auto& row) { return row.utilization; }},
};

}  // namespace

const Table<FlowRow> flow_table = flow_columns;
const Table<FlowRow> packet_flow_table = packet_flow_columns;
const Table<BusiestLinks> flow_link_table = flow_link_columns;

namespace {

// Returns the columns of flows, with those of acknowledgements where there are some.
std::vector<Column<FlowRow>> columns_of(const FlowsResult& result) {
  std::vector<Column<FlowRow>> columns(flow_table.begin(), flow_table.end());
  if (std::ranges::any_of(result.flows, [](auto& times) { return times.acknowledged.has_value(); }))
    columns.insert(columns.end(), packet_flow_table.begin(), packet_flow_table.end());
  return columns;
}

std::vector<FlowRow> rows_of(const std::vector<Flow>& flows, const FlowsResult& result) {
  std::vector<FlowRow> rows;
  for (std::size_t i = 0; i < flows.size(); ++i) rows.push_back({i, flows[i], result.flows[i]});
  return rows;
}

}  // namespace

std::vector<NamedRows> flow_tables(const std::vector<Flow>& flows, const FlowsResult& result,
                                   const Topology& topology) {
  const std::vector<BusiestLinks> links = link_rows(result.links, topology, result.end);
  return {{"flows.csv", {columns_of(result), rows_of(flows, result)}},
          {"links.csv", {with_packets(flow_link_table, links), links}},
          {"switches.csv", switches_rows(result.switches)},
          {"latencies.csv", latencies_rows(result.latencies)},
          {"link-history.csv", link_history_rows(result.link_history)},
          {"switch-history.csv", switch_history_rows(result.link_history)}};
}

std::string flows_csv(const std::vector<Flow>& flows, const FlowsResult& result) {
  const std::vector<Column<FlowRow>> columns = columns_of(result);
  return csv_of(Table<FlowRow>(columns), rows_of(flows, result));
}

std::string flows_json(const std::vector<Flow>& flows, const FlowsResult& result, const Topology& topology) {
  using Json = nlohmann::ordered_json;
  const std::vector<Column<FlowRow>> columns = columns_of(result);
  const std::vector<BusiestLinks> links = link_rows(result.links, topology, result.end);
  const std::vector<Column<BusiestLinks>> link_columns_of_flows = with_packets(flow_link_table, links);
  Json json{{"flows", json_of<Json>(Table<FlowRow>(columns), rows_of(flows, result))},
            {"links", json_of<Json>(Table<BusiestLinks>(link_columns_of_flows), links)}};
  if (!result.switches.empty()) json["switches"] = json_of<Json>(switch_table, result.switches);
  if (!result.latencies.empty())
    json["packet_latencies"] = json_of<Json>(vnet_latency_table, result.latencies);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string flow_links_csv(const FlowsResult& result, const Topology& topology) {
  const std::vector<BusiestLinks> rows = link_rows(result.links, topology, result.end);
  const std::vector<Column<BusiestLinks>> columns = with_packets(flow_link_table, rows);
  return csv_of(Table<BusiestLinks>(columns), rows);
}

}  // namespace orrery::core
