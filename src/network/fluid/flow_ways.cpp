#include "network/fluid/flow_ways.hpp"

#include <map>
#include <tuple>

#include "topology/graph/measures/link_levels.hpp"

namespace orrery {
namespace {

constexpr std::uint32_t none = 0xffffffff;

}  // namespace

FlowWays::FlowWays(const GraphWays& ways, FlowLoop& flows, bool meters)
    : ways_(ways), flows_(flows), resource_of_link_(ways.graph().links(), none) {
  if (!meters) return;
  meter_.emplace(ways.graph().links());
  flows_.flows().set_observer(*this);
}

std::uint32_t FlowWays::add(std::uint32_t number, FlowProgress::Order order) {
  // The links among which the flow is divided, by the resource that they were, their capacity, the flow's
  // share, and their distance from the flow's source. The links of an entry are those among which other flows
  // are divided equally, too.
  std::map<std::tuple<std::uint32_t, double, double, int, LinkId>, std::vector<LinkId>> alike;
  std::map<NodeId, int> distances;
  for (const Route::Part& part : ways_[number].route.parts) {
    const NetworkLink& link = ways_.graph().link(part.link);
    const int distance = distances[link.from];
    distances.try_emplace(link.to, distance + 1);
    alike[{resource_of_link_[part.link.index()], ways_.bytes_per_ns(part.link), part.share, distance,
           part.share < 1 ? LinkId(0) : part.link}]
        .push_back(part.link);
  }
  std::vector<FairShares::Use> uses;
  for (const auto& [key, links] : alike) uses.push_back({resource_of(links), std::get<2>(key)});
  way_of_flows_.push_back(number);
  return flows_.flows().add_way(uses, order);
}

// Returns the resource that these links together form. They belong to one resource now, or to none.
std::uint32_t FlowWays::resource_of(const std::vector<LinkId>& links) {
  const std::uint32_t before = resource_of_link_[links[0].index()];
  if (before != none && links_of_[before] == links.size()) return before;
  std::uint32_t now = 0;
  if (before == none) {
    now = flows_.flows().add_resource(ways_.bytes_per_ns(links[0]));
  } else {
    now = flows_.flows().split(before);
    links_of_[before] -= links.size();
  }
  links_of_.resize(now + 1);
  links_of_[now] = links.size();
  for (const LinkId link : links) resource_of_link_[link.index()] = now;
  return now;
}

void FlowWays::flowed(std::uint32_t flows, double from_ns, double to_ns, double bytes_per_ns) {
  for (const Route::Part& part : ways_[way_of_flows_[flows]].route.parts)
    meter_->add(part.link, from_ns, to_ns, bytes_per_ns * part.share);
}

std::vector<double> FlowWays::bytes_left() const {
  std::vector<double> left(ways_.size());
  for (std::uint32_t number = 0; number < way_of_flows_.size(); ++number)
    left[way_of_flows_[number]] += flows_.bytes_left(number);
  return left;
}

LinkHistory FlowWays::history() {
  if (!meter_) return {};
  flows_.tell_all();
  const NetworkGraph& graph = ways_.graph();
  const LinkLevels levels(ways_.topology());
  return meter_->history({.bytes_per_ns = [&](LinkId id) { return graph.link(id).bandwidth.bytes_per_ns(); },
                          .ends =
                              [&](LinkId id) {
                                return LinkEnds(graph.node(graph.link(id).from).name,
                                                graph.node(graph.link(id).to).name);
                              },
                          .level = [&](LinkId id) { return levels.name_of(id); }});
}

std::uint32_t FlowWays::shared(std::uint32_t way) {
  if (way >= shared_ways_.size()) shared_ways_.resize(way + 1, none);
  if (shared_ways_[way] == none) shared_ways_[way] = add(way, FlowProgress::Order::together);
  return shared_ways_[way];
}

void FlowWays::update(LinkId link) {
  const double bytes_per_ns = ways_.bytes_per_ns(link);
  // Nothing flows over a link that is broken, and it has its capacity when it is not.
  if (resource_of_link_[link.index()] != none && bytes_per_ns > 0)
    flows_.set_capacity(resource_of({link}), bytes_per_ns);
}

}  // namespace orrery
