#include "report/flow_report.hpp"

#include <algorithm>

namespace orrery {
namespace {

constexpr Column<FlowRow> flow_columns[] = {
    {"flow", "", "Its place in the file, counted from 0.", [](auto& row) { return row.number; }},
    {"source", "", "NPU that sends.", [](auto& row) { return row.flow.source; }},
    {"destination", "", "NPU that receives.", [](auto& row) { return row.flow.destination; }},
    {"bytes", "bytes", "Its size.", [](auto& row) { return row.flow.bytes; }},
    {"start_us", "us", "When it started.", [](auto& row) { return row.times.start; }},
    {"end_us", "us", "When its last byte had arrived.", [](auto& row) { return row.times.end; }},
    {"acknowledged_us", "us",
     "When its sender knew that. The column is there where the network model has acknowledgements.",
     [](auto& row) { return row.times.acknowledged; }},
};

constexpr Column<FlowLinkRow> flow_link_columns[] = {
    {"from", "", "Node that sends into the link.", [](auto& row) { return std::string_view(row.link.from); }},
    {"to", "", "Node at its other end.", [](auto& row) { return std::string_view(row.link.to); }},
    {"links", "", "How many links carried the same, this one included.",
     [](auto& row) { return row.link.links; }},
    {"flows", "", "How many flows each carried.", [](auto& row) { return row.link.load.messages; }},
    {"bytes", "bytes", "What each carried.", [](auto& row) { return row.link.load.bytes; }},
    {"busy_us", "us", "Time that these bytes take at its full bandwidth.",
     [](auto& row) { return row.link.busy; }},
    {"busy_share", "share", "That time by the time until the last flow has ended.",
     [](auto& row) { return row.end > Time() ? row.link.busy.ns() / row.end.ns() : 0; }},
};

}  // namespace

const Table<FlowRow> flow_table = flow_columns;
const Table<FlowLinkRow> flow_link_table = flow_link_columns;

std::string flows_csv(const std::vector<Flow>& flows, const FlowsResult& result) {
  const bool acknowledged = std::ranges::any_of(
      result.flows, [](const FlowTimes& times) { return times.acknowledged.has_value(); });
  const Table<FlowRow> table = acknowledged ? flow_table : flow_table.first(flow_table.size() - 1);
  std::string text = csv_title(table) + '\n';
  for (std::size_t i = 0; i < flows.size(); ++i) {
    append_csv_row(text, table, {i, flows[i], result.flows[i]});
    text += '\n';
  }
  return text;
}

std::string flow_links_csv(const FlowsResult& result) {
  std::string text = csv_title(flow_link_table) + '\n';
  for (const LinkUse& link : result.links) {
    append_csv_row(text, flow_link_table, {link, result.end});
    text += '\n';
  }
  return text;
}

}  // namespace orrery
