#include "report/network/graph_tables.hpp"

#include "topology/graph/node_kinds.hpp"

namespace orrery::core {

namespace {

struct GraphNodeRow {
  NodeId id;
  const NetworkNode& node;
};

constexpr Column<GraphNodeRow> graph_node_columns[] = {
    {"node", "", "Number of the node. The NPUs are the first nodes.",
     [](auto& row) { return row.id.value(); }},
    {"name", "", "Name of the node.", [](auto& row) { return std::string_view(row.node.name); }},
    {"kind", "", "Kind of the node: `npu`, `nic`, `cpu`, `pcie-switch` or `switch`.",
     [](auto& row) { return word_of(node_kind_words, row.node.kind); }},
};

constexpr Column<NetworkLink> graph_link_columns[] = {
    {"from", "", "Number of the node that sends into the link.", [](auto& row) { return row.from.value(); }},
    {"to", "", "Number of the node at the other end.", [](auto& row) { return row.to.value(); }},
    {"bandwidth_gb_per_s", "GB/s", "Bandwidth of the link.",
     [](auto& row) { return row.bandwidth.bytes_per_ns(); }},
    {"latency_us", "us", "Latency from one end to the other.", [](auto& row) { return row.latency; }},
    {"loss", "share", "Probability that a packet is lost.", [](auto& row) { return row.loss; }},
};

}  // namespace

NamedRows graph_nodes(const NetworkGraph& graph) {
  std::vector<GraphNodeRow> rows;
  for (const NodeId id : graph.all_nodes()) rows.push_back({id, graph.node(id)});
  return {"nodes.csv", {Table<GraphNodeRow>(graph_node_columns), std::move(rows)}};
}

NamedRows graph_links(const NetworkGraph& graph) {
  std::vector<NetworkLink> rows;
  for (const LinkId id : graph.all_links()) rows.push_back(graph.link(id));
  return {"links.csv", {Table<NetworkLink>(graph_link_columns), std::move(rows)}};
}

}  // namespace orrery::core
