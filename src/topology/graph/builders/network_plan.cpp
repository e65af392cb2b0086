#include "topology/graph/builders/network_plan.hpp"

#include <algorithm>

#include "topology/graph/builders/network_builders.hpp"

namespace orrery::core {
namespace {

NetworkPlan single_npu() {
  return {{}, 1, false, [](GraphDraft& draft) { return Ports{draft.next_npu()}; }, NetworkProduct{}};
}

}  // namespace

double NetworkPlan::npus() const {
  double count = 1;
  for (const int size : groups) count *= size;
  return count;
}

NetworkPlan plan_network(const InputNode& map, const Extensions& extensions) {
  require_map(map, "a network");
  const InputNode& name = required(map, "a network", "build");
  for (const NetworkBuilder* builder : network_builders)
    if (builder->name == scalar_of(name, "build")) return builder->plan(map, extensions);
  if (const auto foreign = extensions.find<ForeignNetworkBuilder>(name.text)) return foreign->plan(map);
  std::vector<std::string_view> names;
  for (const NetworkBuilder* builder : network_builders) names.push_back(builder->name);
  for (const std::string_view foreign : extensions.names<ForeignNetworkBuilder>()) names.push_back(foreign);
  reject_word(name, "build", names);
}

NetworkGraph make_network(const NetworkPlan& plan, const SourceLocation& where) {
  GraphDraft draft(where);
  draft.add_npus(plan.npus(), plan.npus_forward);
  plan.add(draft);
  return draft.finish();
}

BuiltNetwork build_network(const InputNode& map, const Extensions& extensions) {
  const NetworkPlan plan = plan_network(map, extensions);
  return {make_network(plan, map.where), plan.groups.empty() ? std::vector{1} : plan.groups};
}

HostsPart::HostsPart() : host(single_npu()) {}

NetworkPlan HostsPart::outer_plan(const std::vector<int>& sizes, const InputNode& map) const {
  NetworkPlan plan{host.groups, host.ports, host.npus_forward, {}};
  plan.groups.insert(plan.groups.end(), sizes.begin(), sizes.end());
  require_graph_room(plan.npus(), map.where);
  for (const int size : sizes) plan.ports *= size;
  return plan;
}

std::optional<NetworkProduct> HostsPart::times(const ProductFactor& factor) const {
  // Every NPU has to be a port. Otherwise some NPUs would reach the dimension only by way of others.
  if (!host.product || host.ports != static_cast<int>(host.npus())) return std::nullopt;
  if (factor.form == ProductFactor::Form::star && host.npus() > 1) return std::nullopt;
  NetworkProduct product = *host.product;
  product.push_back(factor);
  return product;
}

std::vector<Ports> add_hosts(GraphDraft& draft, const NetworkPlan& host, int hosts) {
  std::vector<Ports> ports(static_cast<std::size_t>(hosts));
  for (Ports& of_host : ports) of_host = host.add(draft);
  return ports;
}

Ports joined_ports(const std::vector<Ports>& hosts) {
  Ports all;
  for (const Ports& ports : hosts) all.insert(all.end(), ports.begin(), ports.end());
  return all;
}

void join_ports(GraphDraft& draft, const Ports& a, const Ports& b, const Cable& cable) {
  for (std::size_t port = 0; port < a.size(); ++port) draft.join(a[port], b[port], cable);
}

void join_each(GraphDraft& draft, const Ports& ports, NodeId to, const Cable& cable) {
  for (const NodeId port : ports) draft.join(port, to, cable);
}

void plan_keys::read_inside(const InputNode& node, HostsPart& hosts) {
  hosts.host = plan_network(node, *hosts.extensions);
}

}  // namespace orrery::core
