// Lists all nodes and links of a network, for programs that go on with the graph.
#pragma once

#include "report/table/row_sink.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// Returns "nodes.csv" and "links.csv", which refer to the graph.
NamedRows graph_nodes(const NetworkGraph& graph);
NamedRows graph_links(const NetworkGraph& graph);

}  // namespace orrery::core
