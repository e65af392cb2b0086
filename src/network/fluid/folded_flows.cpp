#include "network/fluid/folded_flows.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "network/message_time.hpp"

namespace orrery::core {

FoldedFlows::FoldedFlows(std::shared_ptr<const SymmetricRoutes> routes, EventLoop& loop)
    : folded_(std::move(routes)), flows_(loop) {
  std::vector<std::uint32_t> resources;
  for (const SymmetricRoutes::Links& links : folded_->links)
    resources.push_back(flows_.flows().add_resource(links.bytes_per_ns));
  for (const auto& [destination, route] : folded_->routes) {
    std::vector<MaxMinRates::Use> uses;
    for (const SymmetricRoutes::Use& use : route.uses) uses.push_back({resources[use.links], use.share});
    routes_[destination] = {flows_.flows().add_route(uses, FlowProgress::Order::in_line), &route, {}};
  }
}

void FoldedFlows::send(int source, int destination, Bytes bytes, const Event& delivered) {
  assert(source == 0 && routes_.contains(destination) && "it is folded for these messages");
  static_cast<void>(source);
  Route& route = routes_.at(destination);
  route.load += {bytes, 1};
  const double bytes_ns = bytes.as_double() / route.route->bytes_per_ns;
  if (folded_->alone) {
    const Stamp alone = folded_->alone(destination, bytes).ps();
    const Stamp after_last_byte = std::max<Stamp>(0, alone - Clock::instant_of_ns(bytes_ns));
    flows_.start(route.flows, bytes, alone, after_last_byte, delivered);
    return;
  }
  const double ns = bytes_ns + route.route->latency.ns();
  check_message_time(ns, bytes, "npu" + std::to_string(destination), "to");
  flows_.start(route.flows, bytes, Time::from_ns_rounded(ns).ps(), route.route->latency.ps(), delivered);
}

std::vector<LinkUse> FoldedFlows::links(Time) const {
  struct Load {
    double bytes = 0;
    std::uint64_t messages = 0;
  };
  std::vector<Load> loads(folded_->links.size());
  for (const auto& [destination, route] : routes_)
    for (const SymmetricRoutes::Use& use : route.route->uses) {
      loads[use.links].bytes += route.load.bytes.as_double() * use.share;
      loads[use.links].messages += route.load.messages * use.messages;
    }
  std::vector<LinkUse> uses;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (loads[i].messages == 0 && !folded_->shows_idle_links) continue;
    const SymmetricRoutes::Links& links = folded_->links[i];
    const LinkLoad load{Bytes::rounded(loads[i].bytes), loads[i].messages};
    const Time busy = Time::from_ns_rounded(loads[i].bytes / links.bytes_per_ns);
    const auto alike = std::ranges::find_if(uses, [&](const LinkUse& use) {
      return use.dimension == links.dimension && use.load == load && use.busy == busy;
    });
    const auto place = static_cast<std::size_t>(alike - uses.begin());
    if (place == uses.size()) uses.push_back({links.from, links.to, links.dimension, 0, load, busy});
    LinkUse& use = uses[place];
    use.links += links.count;
    use.listed.insert(use.listed.end(), links.listed.begin(), links.listed.end());
  }
  for (LinkUse& use : uses)
    if (use.links == 1 || use.listed.size() != use.links) use.listed.clear();
  std::ranges::stable_sort(uses, [](const LinkUse& a, const LinkUse& b) { return a.busy > b.busy; });
  return uses;
}

}  // namespace orrery::core
