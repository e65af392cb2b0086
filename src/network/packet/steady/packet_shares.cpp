#include "network/packet/steady/packet_shares.hpp"

#include <algorithm>
#include <utility>

namespace orrery::core {

PacketShares::PacketShares(const Topology& topology, const PacketSettings& settings, FlowProgress& flows)
    : progress_(flows),
      patterns_(topology, settings),
      users_(topology.graph->links()),
      seen_links_(topology.graph->links()) {}

void PacketShares::add(const SteadyRoute& route) {
  routes_.push_back({&route});
}

template <class Visit>
void PacketShares::visit_links(std::uint32_t route, const Visit& visit) const {
  for (const auto* links : {&routes_[route].route->links.data, &routes_[route].route->links.acks})
    for (const LinkId link : *links) visit(link);
}

void PacketShares::set_flows(std::uint32_t number, std::uint32_t flows) {
  const std::uint32_t before = progress_.shares().flows(number);
  if (before == flows) return;
  progress_.shares().set_flows(number, flows);
  if (before == 0) visit_links(number, [&](LinkId link) { users_[link.index()].push_back(number); });
  if (flows == 0) visit_links(number, [&](LinkId link) { std::erase(users_[link.index()], number); });
  if (!std::exchange(routes_[number].touched, true)) touched_.push_back(number);
}

// Collects the routes with flows that share links with one way, and those that share links with these, and so
// on.
void PacketShares::collect(std::uint32_t first, std::vector<std::uint32_t>& group) {
  std::size_t next = group.size();
  const auto take = [&](std::uint32_t route) {
    if (flows(route) == 0 || std::exchange(routes_[route].seen, searches_) == searches_) return;
    group.push_back(route);
  };
  const auto take_users = [&](LinkId link) {
    if (std::exchange(seen_links_[link.index()], searches_) == searches_) return;
    for (const std::uint32_t user : users_[link.index()]) take(user);
  };
  take(first);
  for (; next < group.size(); ++next) visit_links(group[next], take_users);
}

FlowShares::Changes PacketShares::settle(double now) {
  changed_.clear();
  settled_ = std::exchange(touched_, {});
  if (settled_.empty()) return {};
  progress_.shares().settle();
  ++searches_;
  std::vector<std::uint32_t> group;
  const auto settle_around = [&](std::uint32_t route) {
    group.clear();
    collect(route, group);
    std::ranges::sort(group);
    if (!group.empty()) settle_group(group, now);
  };
  for (const std::uint32_t route : settled_) {
    routes_[route].touched = false;
    if (flows(route) > 0) {
      settle_around(route);
      continue;
    }
    routes_[route].rate = 0;
    visit_links(route, [&](LinkId link) {
      for (const std::uint32_t user : users_[link.index()]) settle_around(user);
    });
  }
  return {settled_, changed_};
}

void PacketShares::settle_group(const std::vector<std::uint32_t>& group, double now) {
  ContentionPattern pattern;
  pattern.lasts_ns = FlowProgress::never;
  for (const std::uint32_t route : group) {
    const double fair = progress_.shares().rate(route);
    pattern.flows.push_back({routes_[route].route, flows(route)});
    pattern.fair_rates.push_back(fair);
    pattern.lasts_ns = std::min(pattern.lasts_ns, progress_.bytes_left(route, now) / fair);
  }
  const std::vector<double> rates = patterns_.rates(pattern);
  for (std::size_t i = 0; i < group.size(); ++i)
    if (std::exchange(routes_[group[i]].rate, rates[i]) != rates[i]) changed_.push_back(group[i]);
}

}  // namespace orrery::core
