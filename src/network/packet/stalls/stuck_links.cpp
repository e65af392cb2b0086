#include "network/packet/stalls/stuck_links.hpp"

#include <algorithm>
#include <bit>

namespace orrery::core {
namespace {

// Calls f(lane) for every bit.
template <class Function>
void for_each_lane(unsigned lanes, const Function& f) {
  for (; lanes != 0; lanes &= lanes - 1) f(std::countr_zero(lanes));
}

constexpr unsigned never_held = 1;  // priority 0

}  // namespace

StuckLinks::StuckLinks(const PacketLinks& links, const FlowControl& flow_control) {
  find_held(links, flow_control);
  if (stuck_.empty()) return;
  find_waits(links, flow_control);
  while (std::erase_if(stuck_, [&](const auto& entry) { return may_go_on(entry.second); }) > 0) {
  }
}

void StuckLinks::find_held(const PacketLinks& links, const FlowControl& flow_control) {
  for (const LinkId link : first_ids<LinkId>(links.ports().size())) {
    const EgressQueues& queues = links.port(link).queues;
    for_each_lane((queues.waiting() | queues.paused()) & ~never_held, [&](int lane) {
      if (flow_control.is_held(link, lane)) stuck_[{link, lane}];
    });
  }
}

void StuckLinks::find_waits(const PacketLinks& links, const FlowControl& flow_control) {
  std::vector<unsigned> held(links.ports().size());  // lanes by link, a bit each
  for (const auto& [of, waits_for] : stuck_) held[of.link.index()] |= 1u << of.lane;
  const auto note = [&](const Packet& packet, LinkLane next) {
    if (packet.entered_by == LinkId::none) return;  // it is the node's own
    const LinkId came_over = links.port(packet.entered_by).reverse;
    for_each_lane(held[came_over.index()], [&](int lane) {
      if ((flow_control.held_by(lane) >> packet.priority & 1) == 0) return;
      Waiting& waiting = stuck_[{came_over, lane}][next];
      ++waiting.packets;
      waiting.queue_pairs.insert(packet.queue_pair);
    });
  };
  for (const LinkId link : first_ids<LinkId>(links.ports().size())) {
    const EgressQueues& queues = links.port(link).queues;
    for_each_lane(queues.waiting(), [&](int lane) {
      for (PacketId id = queues.first(lane); id != no_packet; id = links.packets()[id].next)
        note(links.packets()[id], {link, lane});
    });
  }
}

// A host that stops for a while holds its link without any packet that waits.
bool StuckLinks::may_go_on(const std::map<LinkLane, Waiting>& waits_for) const {
  return waits_for.empty() ||
         std::ranges::any_of(waits_for, [&](const auto& next) { return !stuck_.contains(next.first); });
}

std::vector<LinkLane> StuckLinks::circle() const {
  std::vector<LinkLane> route;
  LinkLane at = stuck_.begin()->first;
  while (std::ranges::find(route, at) == route.end()) {
    route.push_back(at);
    at = stuck_.at(at).begin()->first;
  }
  route.erase(route.begin(), std::ranges::find(route, at));
  return route;
}

}  // namespace orrery::core
