#include "topology/received_bandwidth.hpp"

#include <algorithm>

#include "base/diagnostics/unreachable.hpp"

#include "topology/graph/network_graph.hpp"
#include "topology/graph/network_product.hpp"

namespace orrery::core {

namespace {

int links_of(const ProductFactor& factor) {
  switch (factor.form) {
    case ProductFactor::Form::circle:
      return std::min(factor.size - 1, 2);
    case ProductFactor::Form::full:
      return factor.size - 1;
    case ProductFactor::Form::star:
      return std::min(factor.size - 1, 1);
  }
  unreachable("every form of a factor has its number of links");
}

double bytes_per_ns_into_npu(const Topology& topology) {
  double sum = 0;
  if (const NetworkProduct* product = topology.graph.product()) {
    for (const ProductFactor& factor : *product)
      sum += links_of(factor) * factor.cable.count * factor.cable.bandwidth.bytes_per_ns();
    return sum;
  }
  const NetworkGraph& graph = *topology.graph;
  for (const LinkId link : graph.links_to(NodeId(0))) sum += graph.link(link).bandwidth.bytes_per_ns();
  return sum;
}

}  // namespace

double received_per_second(const Topology& topology) {
  constexpr double ns_per_second = 1e9;
  if (topology.graph) return bytes_per_ns_into_npu(topology) * ns_per_second;
  double most = 0;
  for (const Dimension& dimension : topology.dimensions)
    if (dimension.size > 1)
      most = std::max(most, dimension.usable_links() * dimension.link_bandwidth.bytes_per_ns());
  return most * ns_per_second;
}

}  // namespace orrery::core
