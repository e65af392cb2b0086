#include "report/network/link_report.hpp"

#include <set>

#include "report/network/packet_report.hpp"

namespace orrery::core {

namespace {

constexpr Column<BusiestLinks> link_columns[] = {
    {"from", "", "Node where the first of these links begins, such as `npu3` or `switch16`.",
     [](auto& row) { return row.from; }},
    {"to", "",
     "Node where that link ends. On a network of flits, the name of the vnet whose wire it is follows.",
     [](auto& row) { return row.to; }},
    {"dimension", "", "Name of the dimension to which these links belong.",
     [](auto& row) { return row.dimension; }},
    {"links", "", "Number of links that the row stands for.", [](auto& row) { return row.links; }},
    {"busy_ns", "ns",
     "Time for which each link is busy: as simulated with the link model, else the time that its bytes need "
     "back to back.",
     [](auto& row) { return row.busy; }, "", Form::csv},
    {"utilization", "share",
     "Busy time as a share of the time until the last NPU ends. Above 1, the links would have to carry more "
     "than they can.",
     [](auto& row) {
       return Real{row.utilization, 6};
     }},
    {"bytes", "bytes",
     "Bytes that each link carried, handshakes included. A message counts on every link of its way.",
     [](auto& row) { return row.load.bytes; }, "", Form::csv},
    {"messages", "", "Messages that each link carried. A message counts on every link of its way.",
     [](auto& row) { return row.load.messages; }, "", Form::csv},
};

constexpr Column<LinkInterval> link_history_columns[] = {
    {"from", "", "Node that sends into the link.", [](auto& row) { return std::string_view(row.link.from); }},
    {"to", "", "Node at the other end of the link.", [](auto& row) { return std::string_view(row.link.to); }},
    {"level", "",
     "Level of the network on which the link lies: the name of its dimension, or the nodes that it joins, "
     "such "
     "as `leaf-spine`.",
     [](auto& row) { return std::string_view(row.link.level); }},
    {"start_us", "us", "Beginning of the interval.", [](auto& row) { return row.start; }},
    {"end_us", "us", "End of the interval.", [](auto& row) { return row.end; }},
    {"bytes", "bytes", "Bytes that the link carried in the interval.",
     [](auto& row) { return Bytes::rounded(row.bytes); }},
    {"use", "share",
     "These bytes as a share of what the link can carry in an interval while no part of it has failed.",
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

TableRows link_history_rows(const LinkHistory& history) {
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
  return {std::move(columns), std::move(rows)};
}

std::vector<BusiestLinks> link_rows(const std::vector<LinkUse>& links, const Topology& topology, Time end) {
  std::vector<BusiestLinks> rows;
  for (const LinkUse& link : links) rows.push_back(described(link, topology, end));
  return rows;
}

TableRows links_rows(const std::vector<LinkUse>& links, const Topology& topology, Time end) {
  std::vector<BusiestLinks> rows = link_rows(links, topology, end);
  std::vector<Column<BusiestLinks>> columns = with_packets(link_table, rows);
  return {std::move(columns), std::move(rows)};
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

}  // namespace orrery::core
