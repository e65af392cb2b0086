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

PacketLinkUse packets_of(const FlowLinkRow& row) {
  return row.link.of_packets.value_or(PacketLinkUse());
}

FlitLinkUse flits_of(const FlowLinkRow& row) {
  return row.link.of_flits.value_or(FlitLinkUse());
}

constexpr Column<FlowLinkRow> flow_link_columns[] = {
    {"from", "", "Node that sends into the link.", [](auto& row) { return std::string_view(row.link.from); }},
    {"to", "", "Node at its other end; of a network of flits, also the vnet whose wire it is.",
     [](auto& row) { return std::string_view(row.link.to); }},
    {"links", "", "How many links carried the same, this one included.",
     [](auto& row) { return row.link.links; }},
    {"flows", "", "How many flows each carried.", [](auto& row) { return row.link.load.messages; }},
    {"bytes", "bytes", "What each carried.", [](auto& row) { return row.link.load.bytes; }},
    {"busy_us", "us", "Time that these bytes take at its full bandwidth.",
     [](auto& row) { return row.link.busy; }},
    {"busy_share", "share", "That time by the time until the last flow has ended.",
     [](auto& row) { return row.end > Time() ? row.link.busy.ns() / row.end.ns() : 0; }},
};

// These stand behind the others where links send packets, and those below where they pass flits.
constexpr Column<FlowLinkRow> packet_link_columns[] = {
    {"packets", "", "How many packets each sent.", [](auto& row) { return packets_of(row).packets; }},
    {"drops", "", "Packets that were lost there, or for want of room in front of it.",
     [](auto& row) { return packets_of(row).drops; }},
    {"marks", "", "Packets that were marked when they left for it.",
     [](auto& row) { return packets_of(row).marks; }},
    {"pauses", "", "How often its sender had to pause.", [](auto& row) { return packets_of(row).pauses; }},
    {"longest_queue", "bytes", "What waited for it in a switch, at most.",
     [](auto& row) { return packets_of(row).longest_queue; }},
    {"resent", "bytes", "Of data that an NPU sent there again, as it had not arrived or seemed not to have.",
     [](auto& row) { return packets_of(row).resent; }},
};

constexpr Column<FlowLinkRow> flit_link_columns[] = {
    {"packets", "", "How many packets each carried.", [](auto& row) { return flits_of(row).packets; }},
    {"flits", "", "How many flits these had.", [](auto& row) { return flits_of(row).flits; }},
    {"longest_line", "", "Flits that stood in line in front of it at most, where it is narrower than a flit.",
     [](auto& row) { return flits_of(row).longest_line; }},
    {"most_channels", "", "Virtual channels of a vnet at its end that had a packet at once, at most.",
     [](auto& row) { return flits_of(row).most_channels; }},
    {"fullest_channel", "", "Flits in the buffer of one of them at once, at most.",
     [](auto& row) { return flits_of(row).fullest_channel; }},
};

}  // namespace

const Table<FlowRow> flow_table = flow_columns;
const Table<FlowLinkRow> flow_link_table = flow_link_columns;
const Table<FlowLinkRow> packet_link_table = packet_link_columns;
const Table<FlowLinkRow> flit_link_table = flit_link_columns;

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
  std::vector<Column<FlowLinkRow>> columns(flow_link_table.begin(), flow_link_table.end());
  const auto add_where = [&](auto has, Table<FlowLinkRow> more) {
    if (std::ranges::any_of(result.links, has)) columns.insert(columns.end(), more.begin(), more.end());
  };
  add_where([](const LinkUse& link) { return link.of_packets.has_value(); }, packet_link_table);
  add_where([](const LinkUse& link) { return link.of_flits.has_value(); }, flit_link_table);
  const Table<FlowLinkRow> table(columns);
  std::string text = csv_title(table) + '\n';
  for (const LinkUse& link : result.links) {
    append_csv_row(text, table, {link, result.end});
    text += '\n';
  }
  return text;
}

}  // namespace orrery
