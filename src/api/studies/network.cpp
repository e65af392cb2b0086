#include "orrery/network.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "api/document_nodes.hpp"
#include "api/plugins/extensions.hpp"
#include "api/studies/findings_state.hpp"
#include "api/studies/network_state.hpp"
#include "base/files/input_log.hpp"
#include "report/network/graph_dot.hpp"
#include "report/network/graph_svg.hpp"
#include "report/network/graph_tables.hpp"
#include "report/network/topology_report.hpp"
#include "study/machine/yaml_network.hpp"
#include "topology/files/any_network.hpp"

namespace orrery {

namespace {

constexpr const char* network_root = "network";

// Throws InputError where it is none.
core::Topology topology_of(const Network::State& state, core::Warnings& warnings) {
  if (state.is_file())
    return core::read_any_network(state.text, state.document.text(), warnings, state.extensions());
  const core::InputNode node = core::node_of(state.document, network_root);
  if (node.kind == core::InputNode::Kind::map) return core::read_graph_network(node, state.extensions());
  return core::read_yaml_network(node, warnings);
}

Network checked(Network::State state) {
  core::Warnings warnings;
  state.npus = topology_of(state, warnings).npus();
  state.warnings = warnings.lines();
  return Network(std::make_shared<const Network::State>(std::move(state)));
}

}  // namespace

core::BuiltNetwork Network::State::build() const {
  core::Warnings known;  // from reading it
  if (is_file()) return core::read_network_as_graph(text, document.text(), known, extensions());
  const core::InputNode node = core::node_of(document, network_root);
  if (node.kind != core::InputNode::Kind::map)
    throw core::InputError({network_root},
                           "a list of dimensions has no nodes and links; describe the network as a graph, by "
                           "`build` or by its nodes and links");
  return core::read_graph(node, extensions());
}

Network::Network(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Network> Network::from(const Document& document, const Registry& registry) {
  if (document.kind() == Document::Kind::text) return load(document.text(), registry);
  return core::found_by([&] { return checked({document, {}, {}, core::extensions_of(registry)}); });
}

Result<Network> Network::load(const std::string& file, const Registry& registry) {
  return core::found_by([&] {
    return checked(
        {file, core::InputLog(core::InputLog::Holds::paths).read(file), {}, core::extensions_of(registry)});
  });
}

const Document& Network::document() const {
  return state_->document;
}

const std::vector<std::string>& Network::warnings() const {
  return state_->warnings;
}

int Network::npus() const {
  return state_->npus;
}

Result<Findings> Network::describe() const {
  return core::found_by([&] {
    const std::string name = state_->is_file() ? state_->document.text() : network_root;
    const core::TopologyReport report = core::describe_network(state_->build(), name);
    return core::findings_of({{"network.csv", {core::whole_network_table, std::vector{report}}},
                              {"nodes.csv", {core::nodes_table, report.nodes}},
                              {"cables.csv", {core::cables_table, report.cables}},
                              {"levels.csv", {core::level_table, report.levels}},
                              {"cuts.csv", {core::cut_table, report.cuts}}},
                             core::topology_to_json(report), core::topology_text(report), {});
  });
}

Result<Table> Network::nodes() const {
  return core::found_by([&] { return core::table_of(core::graph_nodes(state_->build().graph)); });
}

Result<Table> Network::links() const {
  return core::found_by([&] { return core::table_of(core::graph_links(state_->build().graph)); });
}

Result<std::string> Network::svg() const {
  return core::found_by([&] { return core::graph_svg(state_->build().graph); });
}

Result<std::string> Network::dot() const {
  return core::found_by([&] { return core::graph_dot(state_->build().graph); });
}

}  // namespace orrery
