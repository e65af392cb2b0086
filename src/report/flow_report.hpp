// Tables of flows that were run by themselves.
#pragma once

#include <string>

#include "network/flows/run_flows.hpp"
#include "report/table.hpp"

namespace orrery {

struct FlowRow {
  std::size_t number;
  const Flow& flow;
  FlowTimes times;
};
extern const Table<FlowRow> flow_table;

struct FlowLinkRow {
  const LinkUse& link;
  Time end;  // of the run
};
extern const Table<FlowLinkRow> flow_link_table;
// Further columns where links send packets or pass flits.
extern const Table<FlowLinkRow> packet_link_table, flit_link_table;

std::string flows_csv(const std::vector<Flow>& flows, const FlowsResult& result);
std::string flow_links_csv(const FlowsResult& result);

}  // namespace orrery
