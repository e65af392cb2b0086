#include "network/fluid/flow_routes.hpp"

#include <map>
#include <tuple>

#include "topology/graph/measures/link_levels.hpp"

namespace orrery::core {
namespace {

constexpr std::uint32_t none = 0xffffffff;

}  // namespace

FlowRoutes::FlowRoutes(const GraphRoutes& routes, FlowLoop& flows, bool meters)
    : routes_(routes), flows_(flows), resource_of_link_(routes.graph().links(), none) {
  if (!meters) return;
  meter_.emplace(routes.graph().links());
  flows_.flows().set_observer(*this);
}

std::uint32_t FlowRoutes::add(std::uint32_t number, FlowProgress::Order order) {
  // The links among which the flow is divided, by the resource that they were, their capacity, the flow's
  // share, and their distance from the flow's source. The links of an entry are those among which other flows
  // are divided equally, too.
  std::map<std::tuple<std::uint32_t, double, double, int, LinkId>, std::vector<LinkId>> alike;
  std::map<NodeId, int> distances;
  for (const Route::Part& part : routes_[number].route.parts) {
    const NetworkLink& link = routes_.graph().link(part.link);
    const int distance = distances[link.from];
    distances.try_emplace(link.to, distance + 1);
    alike[{resource_of_link_[part.link.index()], routes_.bytes_per_ns(part.link), part.share, distance,
           part.share < 1 ? LinkId(0) : part.link}]
        .push_back(part.link);
  }
  std::vector<MaxMinRates::Use> uses;
  for (const auto& [key, links] : alike) uses.push_back({resource_of(links), std::get<2>(key)});
  route_of_flows_.push_back(number);
  return flows_.flows().add_route(uses, order);
}

// Returns the resource that these links together form. They belong to one resource now, or to none.
std::uint32_t FlowRoutes::resource_of(const std::vector<LinkId>& links) {
  const std::uint32_t before = resource_of_link_[links[0].index()];
  if (before != none && links_of_[before] == links.size()) return before;
  std::uint32_t now = 0;
  if (before == none) {
    now = flows_.flows().add_resource(routes_.bytes_per_ns(links[0]));
  } else {
    now = flows_.flows().split(before);
    links_of_[before] -= links.size();
  }
  links_of_.resize(now + 1);
  links_of_[now] = links.size();
  for (const LinkId link : links) resource_of_link_[link.index()] = now;
  return now;
}

void FlowRoutes::flowed(std::uint32_t flows, double from_ns, double to_ns, double bytes_per_ns) {
  for (const Route::Part& part : routes_[route_of_flows_[flows]].route.parts)
    meter_->add(part.link, from_ns, to_ns, bytes_per_ns * part.share);
}

std::vector<double> FlowRoutes::bytes_left() const {
  std::vector<double> left(routes_.size());
  for (std::uint32_t number = 0; number < route_of_flows_.size(); ++number)
    left[route_of_flows_[number]] += flows_.bytes_left(number);
  return left;
}

LinkHistory FlowRoutes::history() {
  if (!meter_) return {};
  flows_.tell_all();
  const NetworkGraph& graph = routes_.graph();
  const LinkLevels levels(routes_.topology());
  return meter_->history({.bytes_per_ns = [&](LinkId id) { return graph.link(id).bandwidth.bytes_per_ns(); },
                          .ends =
                              [&](LinkId id) {
                                return LinkEnds(graph.node(graph.link(id).from).name,
                                                graph.node(graph.link(id).to).name);
                              },
                          .level = [&](LinkId id) { return levels.name_of(id); }});
}

std::uint32_t FlowRoutes::shared(std::uint32_t route) {
  if (route >= shared_routes_.size()) shared_routes_.resize(route + 1, none);
  if (shared_routes_[route] == none) shared_routes_[route] = add(route, FlowProgress::Order::together);
  return shared_routes_[route];
}

void FlowRoutes::update(LinkId link) {
  const double bytes_per_ns = routes_.bytes_per_ns(link);
  // Nothing flows over a link that is broken, and it has its capacity when it is not.
  if (resource_of_link_[link.index()] != none && bytes_per_ns > 0)
    flows_.set_capacity(resource_of({link}), bytes_per_ns);
}

}  // namespace orrery::core
