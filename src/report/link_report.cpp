#include "report/link_report.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "report/csv_cell.hpp"

namespace orrery {

namespace {

double share_of(Time busy, Time end) {
  return end > Time() ? busy.ns() / end.ns() : 0;
}

const std::string& name_of(const Topology& topology, const LinkUse& link) {
  return topology.dimensions[static_cast<std::size_t>(link.dimension)].name;
}

}  // namespace

std::string links_csv(const std::vector<LinkUse>& links, const Topology& topology, Time end) {
  std::string text = "from,to,dimension,links,busy_ns,utilization,bytes,messages\n";
  for (const LinkUse& link : links) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{:.6f},{},{}\n", link.from, link.to,
                   csv_cell(name_of(topology, link)), link.links, link.busy.ns(), share_of(link.busy, end),
                   link.load.bytes.count(), link.load.messages);
  }
  return text;
}

std::vector<BusiestLinks> busiest_links(const std::vector<LinkUse>& links, const Topology& topology,
                                        Time end) {
  std::vector<BusiestLinks> busiest;
  std::set<int> seen;
  for (const LinkUse& link : links) {
    if (link.load.messages == 0 || !seen.insert(link.dimension).second) continue;
    busiest.push_back({link.from, link.to, name_of(topology, link), link.links, share_of(link.busy, end)});
  }
  return busiest;
}

nlohmann::json to_json(const std::vector<BusiestLinks>& links) {
  nlohmann::json list = nlohmann::json::array();
  for (const BusiestLinks& link : links) {
    list.push_back({{"from", link.from},
                    {"to", link.to},
                    {"dimension", link.dimension},
                    {"links", link.links},
                    {"utilization", link.utilization}});
  }
  return list;
}

}  // namespace orrery
