#include "topology/files/any_network.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "topology/files/network_file.hpp"
#include "topology/files/network_yaml_file.hpp"
#include "topology/flits/flit_network_file.hpp"
#include "topology/graph/builders/network_plan.hpp"
#include "topology/graph/formats/graph_file.hpp"
#include "topology/graph/routing/routes.hpp"

namespace orrery::core {
namespace {

// The NPUs that differ from NPU 0 in their place in one dimension alone.
struct Row {
  std::size_t dimension;
  std::size_t stride, size;
  NodeId last() const { return NodeId(stride * (size - 1)); }
};

// Returns the row of that dimension. If its groups have one NPU each, returns the row of the nearest
// dimension whose groups are larger: inside this one if there is one, otherwise outside. None: there is no
// such dimension.
std::optional<Row> row_of(const std::vector<int>& sizes, std::size_t d) {
  std::optional<Row> row;
  std::size_t stride = 1;
  for (std::size_t i = 0; i < sizes.size() && (i <= d || !row); ++i) {
    const auto size = static_cast<std::size_t>(sizes[i]);
    if (size > 1) row = Row{i, stride, size};
    stride *= size;
  }
  return row;
}

// The neighbours of an NPU determine the form of a dimension, and so the usual algorithms in it.
void shape(Dimension& dimension, std::size_t neighbours, std::size_t size) {
  dimension.block = neighbours == size - 1 ? Block::fully_connected
                    : neighbours == 2      ? Block::ring
                                           : Block::switched;
  if (dimension.block != Block::switched) dimension.links = static_cast<int>(neighbours);
}

std::size_t neighbours_in(const Row& row, const NetworkGraph& graph) {
  std::set<NodeId> found;
  for (const LinkId link : graph.links_from(NodeId(0))) {
    const NodeId to = graph.link(link).to;
    const std::size_t npu = to.index();
    if (npu < graph.npus() && npu % row.stride == 0 && npu / row.stride < row.size) found.insert(to);
  }
  return found.size();
}

// Gives the dimension the bandwidth and latency of the way from NPU 0 to the last of its row. They are for
// code that looks at dimensions and not at the graph, such as the closed forms of a library.
void measure(Dimension& dimension, const NetworkGraph& graph, Routes& routes, const std::optional<Row>& row) {
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(1);
  if (!row) return;
  const std::optional<Route> route = routes.find(NodeId(0), row->last(), 0);
  if (!route) return;
  double slowest = std::numeric_limits<double>::infinity();
  for (const Route::Part& part : route->parts)
    slowest = std::min(slowest, graph.link(part.link).bandwidth.bytes_per_ns() / part.share);
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(slowest);
  const bool direct = routes.hops(NodeId(0), row->last()) == 1;
  dimension.link_latency_ns = route->latency.ns() / (direct ? 1 : 2);  // a switch is two hops
  if (direct && dimension.size > 1) shape(dimension, neighbours_in(*row, graph), row->size);
}

// Does the same in a network that is a product; `factor` is the factor to which the row belongs.
void measure(Dimension& dimension, const ProductFactor& factor) {
  const Cable& cable = factor.cable;
  dimension.link_bandwidth =
      Bandwidth::from_gb_per_s(cable.bandwidth.bytes_per_ns() * (cable.striped ? cable.count : 1));
  dimension.link_latency_ns = cable.latency.ns();
  if (dimension.size == 1 || factor.form == ProductFactor::Form::star) return;
  const std::size_t others = static_cast<std::size_t>(factor.size) - 1;
  const bool circle = factor.form == ProductFactor::Form::circle;
  shape(dimension, circle ? std::min<std::size_t>(others, 2) : others, others + 1);
}

Dimension& add_dimension(Topology& topology, int size) {
  Dimension& dimension = topology.dimensions.emplace_back();
  dimension.name = default_dimension_name(topology.dimensions.size() - 1);
  dimension.block = Block::switched;
  dimension.size = size;
  dimension.links = 1;
  return dimension;
}

// `plan` is that of a product.
Topology topology_of(const NetworkPlan& plan, const SourceLocation& where) {
  Topology topology;
  for (std::size_t d = 0; d < plan.groups.size(); ++d) {
    Dimension& dimension = add_dimension(topology, plan.groups[d]);
    if (const std::optional<Row> row = row_of(plan.groups, d))
      measure(dimension, (*plan.product)[row->dimension]);
    else
      dimension.link_bandwidth = Bandwidth::from_gb_per_s(1);
  }
  require_cable_room(cables_of(*plan.product), where);
  topology.graph =
      LazyGraph([plan, where] { return std::make_shared<const NetworkGraph>(make_network(plan, where)); },
                *plan.product);
  return topology;
}

}  // namespace

Topology topology_of(BuiltNetwork built) {
  Topology topology;
  Routes routes(built.graph);
  for (const int size : built.groups) {
    Dimension& dimension = add_dimension(topology, size);
    measure(dimension, built.graph, routes, row_of(built.groups, topology.dimensions.size() - 1));
  }
  topology.graph = std::make_shared<const NetworkGraph>(std::move(built.graph));
  return topology;
}

Topology read_graph_network(const InputNode& map, const Extensions& extensions) {
  if (!map.find("nodes"))
    if (const NetworkPlan plan = plan_network(map, extensions); plan.product && !plan.groups.empty())
      return topology_of(plan, map.where);
  return topology_of(read_graph(map, extensions));
}

Topology read_any_network(std::string_view text, const std::string& file, Warnings& warnings,
                          const Extensions& extensions) {
  if (is_flit_network_file(text)) return read_flit_network_file(text, file, warnings);
  if (is_yaml_graph(text)) return read_graph_network(parse_yaml(text, file), extensions);
  if (is_graph_file(text)) return topology_of(read_graph_file(text, file, warnings));
  if (is_network_yaml_file(text)) return read_network_yaml_file(text, file, warnings);
  return read_network_file(text, file, {}, warnings);
}

}  // namespace orrery::core
