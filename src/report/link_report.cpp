#include "report/link_report.hpp"

#include <set>

#include "report/packet_report.hpp"

namespace orrery {

namespace {

constexpr Column<BusiestLinks> link_columns[] = {
    {"from", "", "One end of one of these links, the first one: `npu3`, `switch16`.",
     [](auto& row) { return row.from; }},
    {"to", "", "Its other end; of a network of flits, also the vnet whose wire it is.",
     [](auto& row) { return row.to; }},
    {"dimension", "", "Name of their dimension.", [](auto& row) { return row.dimension; }},
    {"links", "", "How many links these are.", [](auto& row) { return row.links; }},
    {"busy_ns", "ns",
     "How long each is busy: in the link model as simulated, else the time its bytes need back to back.",
     [](auto& row) { return row.busy; }, "", Form::csv},
    {"utilization", "share",
     "Busy time by the time until the last NPU ends; above 1: more than they can carry.",
     [](auto& row) {
       return Real{row.utilization, 6};
     }},
    {"bytes", "bytes", "Over each link, handshakes included; a message counts on every link of its way.",
     [](auto& row) { return row.load.bytes; }, "", Form::csv},
    {"messages", "", "Over each link, likewise.", [](auto& row) { return row.load.messages; }, "", Form::csv},
};

constexpr Column<LinkInterval> link_history_columns[] = {
    {"from", "", "Node that sends into the link.", [](auto& row) { return std::string_view(row.link.from); }},
    {"to", "", "Node at its other end.", [](auto& row) { return std::string_view(row.link.to); }},
    {"start_us", "us", "Begin of the interval.", [](auto& row) { return row.start; }},
    {"end_us", "us", "Its end.", [](auto& row) { return row.end; }},
    {"bytes", "bytes", "What the link carried in it.", [](auto& row) { return Bytes::rounded(row.bytes); }},
    {"use", "share", "These bytes by what it can carry in an interval when it is whole.",
     [](auto& row) {
       return Real{row.bytes / ((row.end - row.start).ns() * row.link.bytes_per_ns), 6};
     }},
};

BusiestLinks described(const LinkUse& link, const Topology& topology, Time end) {
  return {link.from,
          link.to,
          topology.dimensions[static_cast<std::size_t>(link.dimension)].name,
          link.links,
          end > Time() ? link.busy.ns() / end.ns() : 0,
          link.busy,
          link.load,
          link.of_packets,
          link.of_flits};
}

}  // namespace

const Table<BusiestLinks> link_table(link_columns);
const Table<LinkInterval> link_history_table(link_history_columns);

std::string link_history_csv(const LinkHistory& history) {
  std::vector<LinkInterval> rows;
  bool has_packets = false;
  for (const LinkSeries& link : history.links)
    for (std::size_t i = 0; i < link.bytes.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i);
      LinkInterval& row = rows.emplace_back(
          LinkInterval{link, history.interval * number, history.interval * (number + 1), link.bytes[i]});
      if (!link.packets.empty()) row.packets = link.packets[i];
      has_packets = has_packets || row.packets;
    }
  std::vector<Column<LinkInterval>> columns(link_history_table.begin(), link_history_table.end());
  if (has_packets) columns.insert(columns.end(), packet_history_table.begin(), packet_history_table.end());
  return csv_of(Table<LinkInterval>(columns), rows);
}

std::vector<BusiestLinks> link_rows(const std::vector<LinkUse>& links, const Topology& topology, Time end) {
  std::vector<BusiestLinks> rows;
  for (const LinkUse& link : links) rows.push_back(described(link, topology, end));
  return rows;
}

std::string links_csv(const std::vector<LinkUse>& links, const Topology& topology, Time end) {
  const std::vector<BusiestLinks> rows = link_rows(links, topology, end);
  const std::vector<Column<BusiestLinks>> columns = with_packets(link_table, rows);
  return csv_of(Table<BusiestLinks>(columns), rows);
}

std::vector<BusiestLinks> busiest_links(const std::vector<LinkUse>& links, const Topology& topology,
                                        Time end) {
  std::vector<BusiestLinks> busiest;
  std::set<int> seen;
  for (const LinkUse& link : links)
    if (link.load.messages > 0 && seen.insert(link.dimension).second)
      busiest.push_back(described(link, topology, end));
  return busiest;
}

}  // namespace orrery
