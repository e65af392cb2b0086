// Routings of plug-ins.
#include <cmath>
#include <utility>

#include "api/plugins/extensions.hpp"
#include "topology/graph/routing/foreign_routing.hpp"

namespace orrery::core {
namespace {

std::size_t choice_of(const orrery::Routing& routing, const RoutingPoint& point,
                      std::span<const LinkId> links) {
  std::vector<orrery::RoutingLink> offered;
  for (const LinkId id : links) {
    const NetworkLink& link = point.graph.link(id);
    orrery::RoutingLink& offer = offered.emplace_back();
    offer.number = id.index();
    offer.to = link.to.index();
    offer.bandwidth = link.bandwidth.bytes_per_ns() * 1e9;
    if (!point.loads.empty())
      offer.load = orrery::Time::picoseconds(std::llround(point.loads[id.index()] * 1e3));
  }
  return routing.choose({point.graph.link(links.front()).from.index(), point.hash, offered});
}

}  // namespace

void add_foreign_routings(const Registry& registry, Extensions& extensions) {
  for (const auto& [name, routing] : registry.routings()) {
    const std::string what = "the routing `" + name + "`";
    const auto choose = [what, routing = routing](const RoutingPoint& point, std::span<const LinkId> links) {
      return call_plugin(what, {what + " of a plug-in"}, [&] { return choice_of(*routing, point, links); });
    };
    extensions.add(name, ForeignRoutingEntry(std::make_shared<const ForeignRouting>(
                             name, routing->looks_at_loads(), choose)));
  }
}

}  // namespace orrery::core
