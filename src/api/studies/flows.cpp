#include "orrery/flows.hpp"

#include <nlohmann/json.hpp>

#include "api/access.hpp"
#include "api/document_nodes.hpp"
#include "api/studies/findings_state.hpp"
#include "api/studies/network_state.hpp"
#include "api/studies/study_progress.hpp"
#include "network/flows/flow_file.hpp"
#include "network/flows/flow_list.hpp"
#include "network/flows/run_flows.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "report/network/flow_report.hpp"
#include "study/flows/flow_network.hpp"
#include "topology/graph/changes/link_changes.hpp"

namespace orrery {

namespace {

constexpr const char* flows_root = "flows";

// Puts the keys of the network together as an experiment has them.
core::FlowNetwork flow_network_of(const Network& network, const FlowOptions& options,
                                  core::Warnings& warnings, const core::FileLoader& load) {
  Document keys = options.keys;
  keys["network"] = network.document();
  if (!keys.find("network-model")) keys["network-model"] = options.network_model;
  core::FlowNetwork read =
      core::read_flow_network(core::node_of(keys, flows_root), flows_root, warnings, load);
  if (options.history)
    core::throw_if(core::fault_of_link_history(read.topology, read.setup.model, {"history"}, "it"));
  read.setup.link_history |= options.history;
  if (read.setup.packets) core::check_packet_keys(read.topology, *read.setup.packets, warnings);
  return read;
}

std::vector<core::Flow> flows_of(const Document& flows, core::FlowNetwork& network,
                                 const core::FileLoader& load) {
  if (flows.kind() != Document::Kind::text) return core::read_flow_list(core::node_of(flows, flows_root));
  const std::string& file = flows.text();
  const core::FlowFile read = core::read_flows_on(network.topology, load(file), file);
  read.break_links(network.topology, network.setup.model, "the network");
  return read.flows;
}

}  // namespace

Result<Findings> simulate_flows(const Network& network, const Document& flows, const FlowOptions& options) {
  return core::found_by([&] {
    core::Warnings warnings;
    const core::InputLog inputs(core::InputLog::Holds::paths);
    const core::FileLoader load(inputs, core::Access::state(network).of_plugins);
    core::FlowNetwork on = flow_network_of(network, options, warnings, load);
    const std::vector<core::Flow> read = flows_of(flows, on, load);
    core::StudyProgress progress(options.how);
    const core::FlowsResult result = core::run_flows(read, on.topology, on.setup, progress.share());
    if (on.topology.link_changes) core::warn_of_later(*on.topology.link_changes, result.end, warnings);
    std::vector<core::NamedRows> tables = core::flow_tables(read, result, on.topology);
    std::erase_if(tables, [](const core::NamedRows& table) { return table.rows.empty(); });
    return core::findings_of(tables,
                             nlohmann::ordered_json::parse(core::flows_json(read, result, on.topology)),
                             core::flows_csv(read, result), warnings);
  });
}

}  // namespace orrery
