// Makes tables of flows that were run by themselves.
#pragma once

#include <string>

#include "network/flows/run_flows.hpp"
#include "report/network/link_report.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

struct FlowRow {
  std::size_t number;
  const Flow& flow;
  FlowTimes times;
};
extern const Table<FlowRow> flow_table;
// Further columns where senders know when their flows have arrived.
extern const Table<FlowRow> packet_flow_table;

extern const Table<BusiestLinks> flow_link_table;

// Returns all tables, with the names of the files that `orrery flows` is usually asked for. Those that the
// network model does not know have no rows. They refer to the arguments.
std::vector<NamedRows> flow_tables(const std::vector<Flow>& flows, const FlowsResult& result,
                                   const Topology& topology);

std::string flows_csv(const std::vector<Flow>& flows, const FlowsResult& result);
std::string flow_links_csv(const FlowsResult& result, const Topology& topology);

// Returns all tables of a run of flows as an object, with a line end.
std::string flows_json(const std::vector<Flow>& flows, const FlowsResult& result, const Topology& topology);

}  // namespace orrery::core
