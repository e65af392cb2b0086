#include "report/link_report.hpp"

#include <set>

namespace orrery {

namespace {

constexpr Column<BusiestLinks> link_columns[] = {
    {"from", "", "One end of one of these links, the first one: `npu3`, `switch16`.",
     [](auto& row) { return row.from; }},
    {"to", "", "Its other end.", [](auto& row) { return row.to; }},
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

BusiestLinks described(const LinkUse& link, const Topology& topology, Time end) {
  return {link.from,
          link.to,
          topology.dimensions[static_cast<std::size_t>(link.dimension)].name,
          link.links,
          end > Time() ? link.busy.ns() / end.ns() : 0,
          link.busy,
          link.load};
}

}  // namespace

const Table<BusiestLinks> link_table(link_columns);

std::string links_csv(const std::vector<LinkUse>& links, const Topology& topology, Time end) {
  std::vector<BusiestLinks> rows;
  for (const LinkUse& link : links) rows.push_back(described(link, topology, end));
  return csv_of(link_table, rows);
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
