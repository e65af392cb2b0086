#include "network/fluid/flow_ways.hpp"

namespace orrery {
namespace {

constexpr std::uint32_t none = 0xffffffff;

}  // namespace

FlowWays::FlowWays(const GraphWays& ways, FlowLoop& flows)
    : ways_(ways), flows_(flows), resource_of_link_(ways.graph().links(), none) {}

std::uint32_t FlowWays::add(std::uint32_t number, FlowProgress::Order order) {
  std::vector<FairShares::Use> uses;
  for (const Route::Part& part : ways_[number].route.parts) {
    std::uint32_t& resource = resource_of_link_[part.link];
    if (resource == none) resource = flows_.flows().add_resource(ways_.bytes_per_ns(part.link));
    uses.push_back({resource, part.share});
  }
  return flows_.flows().add_way(uses, order);
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
