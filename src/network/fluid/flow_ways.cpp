#include "network/fluid/flow_ways.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

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
  std::vector<FairShares::Use> uses;
  for (const Route::Part& part : ways_[number].route.parts) {
    std::uint32_t& resource = resource_of_link_[part.link];
    if (resource == none) resource = flows_.flows().add_resource(ways_.bytes_per_ns(part.link));
    uses.push_back({resource, part.share});
  }
  way_of_flows_.push_back(number);
  return flows_.flows().add_way(uses, order);
}

void FlowWays::flowed(std::uint32_t flows, double from_ns, double to_ns, double bytes_per_ns) {
  for (const Route::Part& part : ways_[way_of_flows_[flows]].route.parts)
    meter_->add(part.link, from_ns, to_ns, bytes_per_ns * part.share);
}

LinkHistory FlowWays::history() const {
  constexpr std::size_t most_links = 64;
  LinkHistory history;
  if (!meter_) return history;
  history.interval = Time::from_ns_rounded(meter_->interval_ns());
  const NetworkGraph& graph = ways_.graph();
  std::vector<std::pair<double, LinkId>> links;  // ns at full bandwidth
  for (LinkId id = 0; id < graph.links(); ++id) {
    const std::vector<double> bytes = meter_->bytes(id);
    if (bytes.empty()) continue;
    const double sum = std::accumulate(bytes.begin(), bytes.end(), 0.0);
    links.emplace_back(sum / graph.link(id).bandwidth.bytes_per_ns(), id);
  }
  std::ranges::stable_sort(links, std::greater(), &std::pair<double, LinkId>::first);
  if (links.size() > most_links) links.resize(most_links);
  for (const auto& [busy, id] : links) {
    const NetworkLink& link = graph.link(id);
    history.links.push_back({graph.node(link.from).name, graph.node(link.to).name,
                             link.bandwidth.bytes_per_ns(), meter_->bytes(id)});
  }
  return history;
}

std::uint32_t FlowWays::shared(std::uint32_t way) {
  if (way >= shared_ways_.size()) shared_ways_.resize(way + 1, none);
  if (shared_ways_[way] == none) shared_ways_[way] = add(way, FlowProgress::Order::together);
  return shared_ways_[way];
}

void FlowWays::update(LinkId link) {
  const double bytes_per_ns = ways_.bytes_per_ns(link);
  // Nothing flows over a link that is broken, and it has its capacity when it is not.
  if (resource_of_link_[link] != none && bytes_per_ns > 0)
    flows_.set_capacity(resource_of_link_[link], bytes_per_ns);
}

}  // namespace orrery
