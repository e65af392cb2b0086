#include "network/packet/flits/flit_engine.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orrery::core {
FlitEngine::FlitEngine(const Fabric& fabric)
    : fabric_(fabric),
      avoids_deadlocks_(!fabric.network().strict_reference),
      channels_(fabric),
      sources_(fabric, channels_),
      vcs_per_vnet_(channels_.per_vnet()),
      ports_(fabric.wires().size()),
      latencies_(fabric.vnets()),
      on_ring_(fabric.rings()),
      next_plane_(fabric.npus()) {}

std::uint32_t FlitEngine::send(std::uint32_t from, std::uint32_t to, std::uint32_t vnet, std::uint32_t turn,
                               std::uint64_t bytes) {
  const std::uint32_t message = sources_.send(from, to, vnet, turn, bytes);
  if (!fabric_.chooses_switch(from, vnet, to)) {
    count_on_route(message, vnet, 0);
    return message;
  }
  const auto planes = static_cast<std::size_t>(fabric_.network().switches), first = message * planes;
  if (first >= planes_taken_.size()) planes_taken_.resize(first + planes);
  std::fill_n(planes_taken_.begin() + static_cast<std::ptrdiff_t>(first), planes, false);
  return message;
}

// Counts the message at all wires of its route, which is the same for all packets that take the same switch.
void FlitEngine::count_on_route(std::uint32_t number, std::uint32_t vnet, std::uint32_t plane) {
  const FlitMessage& message = sources_.message(number);
  for (std::uint32_t router = message.from;;) {
    const FlitRoute route = fabric_.route(router, vnet, message.to, message.turn, plane);
    ++ports_[route.wire].messages;
    const Wire& wire = fabric_.wires()[route.wire];
    if (wire.to_npu) return;
    router = wire.to;
    vnet = route.vnet;
  }
}

void FlitEngine::simulate(Cycle cycle) {
  now_ = cycle;
  sources_.simulate(cycle);
  channels_.take_flits(cycle, [this](std::uint32_t vc) { flit_arrives(vc); });
  channels_.take_credits(cycle, [this](std::uint32_t vc, bool free) { credit_arrives(vc, free); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < active_ports_.size(); ++i) {
    const WireId wire = active_ports_[i];
    if (ask(wire))
      active_ports_[kept++] = wire;
    else
      ports_[wire].active = false;
  }
  active_ports_.resize(kept);
  idle_ports_ = asked_.empty();
  for (const WireId out : asked_) grant(out);
  asked_.clear();
}

FlitEngine::Cycle FlitEngine::next_busy(Cycle cycle) const {
  if (sources_.busy() || (!active_ports_.empty() && !idle_ports_)) return cycle;
  return channels_.next_arrival(cycle);
}

void FlitEngine::activate(WireId wire) {
  if (ports_[wire].active) return;
  ports_[wire].active = true;
  active_ports_.push_back(wire);
}

void FlitEngine::flit_arrives(std::uint32_t number) {
  FlitVc& vc = channels_[number];
  const WireId wire = vc.wire;
  if (fabric_.wires()[wire].to_npu) {
    receive(number);
    return;
  }
  ++vc.buffered;
  if (vc.group == none) head_arrives(number);
  activate(wire);
}

void FlitEngine::receive(std::uint32_t number) {
  FlitVc& vc = channels_[number];
  const bool tail = --vc.left == 0;
  channels_.put_credit(now_, number, tail);
  if (!tail) return;
  latencies_[vnet_of(number)].add(channels_.age(number, now_));
  sources_.receive_packet(vc.message);
}

std::uint32_t FlitEngine::vnet_of(std::uint32_t vc) const {
  const WireId id = channels_[vc].wire;
  const Wire& wire = fabric_.wires()[id];
  return wire.vnets == 1 ? wire.vnet : wire.vnet + (vc - channels_.first_of(id)) / vcs_per_vnet_;
}

std::uint64_t FlitEngine::stalled(WireId wire) const {
  const Port& port = ports_[wire];
  return static_cast<std::uint64_t>(port.waited + (port.waiting == none ? 0 : now_ - port.waits_since));
}

void FlitEngine::head_arrives(std::uint32_t number) {
  FlitVc& vc = channels_[number];
  const Wire& wire = fabric_.wires()[vc.wire];
  const FlitMessage& message = sources_.message(vc.message);
  const std::uint32_t vnet = vnet_of(number);
  const bool chooses = wire.from_npu && fabric_.chooses_switch(wire.to, vnet, message.to);
  std::uint32_t plane = 0;
  if (chooses) {
    const auto planes = static_cast<std::uint32_t>(fabric_.network().switches);
    plane = next_plane_[wire.to]++ % planes;
    const std::size_t taken = std::size_t{vc.message} * planes + plane;
    if (!planes_taken_[taken]) count_on_route(vc.message, vnet, plane);
    planes_taken_[taken] = true;
  }
  const FlitRoute route = fabric_.route(wire.to, vnet, message.to, message.turn, plane);
  vc.group = group_of(vc.wire, route);
  Group& group = groups_[vc.group];
  (group.first == none ? group.first : channels_[group.last].next) = number;
  group.last = number;
  vc.next = none;
}

// Returns the group of the input port's packets that take the route. Those that may not have every virtual
// channel stand in a group of their own, so that others need not wait behind them.
std::uint32_t FlitEngine::group_of(WireId in, const FlitRoute& route) {
  const Wire& out = fabric_.wires()[route.wire];
  const bool one_vc = vcs_per_vnet_ == 1;
  const bool on_ring = avoids_deadlocks_ && one_vc && out.ring != no_wire;
  const bool same_ring = fabric_.wires()[in].ring == out.ring;
  Group group{.in = in, .out = route.wire};
  group.lane = channels_.lane_of(route.wire) + (route.vnet - out.vnet);
  group.wraps_later = avoids_deadlocks_ && !one_vc && route.wraps_later;
  group.enters_ring = on_ring && !same_ring && route.many_hops;
  group.leaves_ring = on_ring && same_ring && !route.many_hops;
  Port& port = ports_[in];
  for (std::uint32_t g = port.groups; g != none; g = groups_[g].next) {
    const Group& other = groups_[g];
    if (other.lane == group.lane && other.wraps_later == group.wraps_later &&
        other.enters_ring == group.enters_ring && other.leaves_ring == group.leaves_ring)
      return g;
  }
  std::uint32_t number = static_cast<std::uint32_t>(groups_.size());
  if (free_groups_.empty()) {
    groups_.emplace_back();
  } else {
    number = free_groups_.back();
    free_groups_.pop_back();
  }
  group.next = port.groups;
  groups_[number] = group;
  port.groups = number;
  return number;
}

void FlitEngine::credit_arrives(std::uint32_t number, bool free) {
  const FlitVc& vc = channels_[number];
  if (fabric_.wires()[vc.wire].from_npu) {
    sources_.activate(vc.wire);
    return;
  }
  if (!free && vc.credits > 1) return;  // nobody waits for it
  Port& port = ports_[vc.wire];
  if (port.waiting != none) port.waited += now_ - port.waits_since;
  while (port.waiting != none) {
    Group& group = groups_[port.waiting];
    port.waiting = group.next_waiting;
    group.waits = false;
    activate(group.in);
  }
}

bool FlitEngine::may_go(const Group& group, const FlitVc& vc, bool& look_again) const {
  if (vc.out != none) return channels_[vc.out].credits > 0;
  if (ring_is_full(group)) {
    look_again = true;
    return false;
  }
  return channels_.free_vc(group.lane, !group.wraps_later) != none;
}

// Returns whether one more packet on the ring would leave it no free buffer.
bool FlitEngine::ring_is_full(const Group& group) const {
  const Wire& out = fabric_.wires()[group.out];
  return group.enters_ring && on_ring_[out.ring] + 1 >= out.ring_size;
}

void FlitEngine::wait(std::uint32_t number) {
  Group& group = groups_[number];
  if (group.waits) return;
  group.waits = true;
  Port& out = ports_[group.out];
  if (out.waiting == none) out.waits_since = now_;
  group.next_waiting = out.waiting;
  out.waiting = number;
}

// Returns the first packet behind one that has to stay which has a virtual channel beyond, and a credit. Its
// head may be where that one wants to go, so that neither would ever go on if it stayed, too.
std::uint32_t FlitEngine::next_on_its_way(std::uint32_t stays) const {
  if (!avoids_deadlocks_) return none;
  for (std::uint32_t vc = channels_[stays].next; vc != none; vc = channels_[vc].next)
    if (channels_[vc].buffered > 0 && channels_[vc].out != none && channels_[channels_[vc].out].credits > 0)
      return vc;
  return none;
}

// Returns whether the port has to be looked at in the next cycle, too.
bool FlitEngine::ask(WireId in) {
  Port& port = ports_[in];
  const Wire& wire = fabric_.wires()[in];
  const std::uint32_t all = fabric_.vnets() * vcs_per_vnet_;
  const std::uint32_t before = port.in_pointer + channels_.first_of(in) - wire.vnet * vcs_per_vnet_;
  std::uint32_t best = none, best_distance = none;
  bool look_again = false;
  for (std::uint32_t g = port.groups; g != none; g = groups_[g].next) {
    std::uint32_t vc = groups_[g].first;
    while (vc != none && channels_[vc].buffered == 0) vc = channels_[vc].next;
    if (vc == none) continue;
    bool polls = false;
    if (!may_go(groups_[g], channels_[vc], polls)) vc = next_on_its_way(vc);
    if (vc == none) {
      if (polls)
        look_again = true;
      else
        wait(g);
      continue;
    }
    std::uint32_t distance = vc - before;
    if (distance >= all) distance += all;
    if (distance < best_distance) {
      best_distance = distance;
      best = vc;
    }
  }
  if (best == none) return look_again;
  if (++port.in_pointer == all) port.in_pointer = 0;
  const WireId out = groups_[channels_[best].group].out;
  Port& asked = ports_[out];
  std::uint32_t distance = wire.port - asked.out_pointer;
  if (wire.port < asked.out_pointer) distance += fabric_.ports_into(wire.to);
  if (asked.asked == now_) {
    if (distance >= asked.distance) return true;
  } else {
    asked.asked = now_;
    asked_.push_back(out);
  }
  asked.asking = best;
  asked.distance = distance;
  return true;
}

void FlitEngine::take_vc(const Group& group, std::uint32_t number) {
  FlitVc& from = channels_[number];
  from.out = channels_.free_vc(group.lane, !group.wraps_later);
  channels_.take(from.out);
  channels_.pass_made(number, from.out);
  FlitVc& vc = channels_[from.out];
  vc.message = from.message;
  vc.left = from.left;
  if (group.enters_ring) ++on_ring_[fabric_.wires()[group.out].ring];
}

void FlitEngine::grant(WireId out) {
  Port& port = ports_[out];
  const FlitVc& asking = channels_[port.asking];
  // Another packet may have entered the ring in this cycle.
  if (asking.out == none && ring_is_full(groups_[asking.group])) return;
  if (++port.out_pointer == fabric_.ports_into(fabric_.wires()[out].from)) port.out_pointer = 0;
  const std::uint32_t number = port.asking;
  FlitVc& vc = channels_[number];
  Group& group = groups_[vc.group];
  if (vc.out == none) take_vc(group, number);
  --vc.buffered;
  const bool tail = --vc.left == 0;
  channels_.put_flit(now_, vc.out);
  channels_.put_credit(now_, number, tail);
  if (!tail) return;
  ++ports_[out].packets;
  if (group.leaves_ring) --on_ring_[fabric_.wires()[out].ring];
  leave(vc.group, number);
}

void FlitEngine::leave(std::uint32_t number, std::uint32_t gone) {
  Group& group = groups_[number];
  FlitVc& vc = channels_[gone];
  std::uint32_t before = none;
  for (std::uint32_t other = group.first; other != gone; other = channels_[other].next) before = other;
  (before == none ? group.first : channels_[before].next) = vc.next;
  if (group.last == gone) group.last = before;
  vc.group = vc.out = none;
  if (group.first != none) return;
  Port& port = ports_[group.in];
  std::uint32_t* link = &port.groups;
  while (*link != number) link = &groups_[*link].next;
  *link = group.next;
  free_groups_.push_back(number);
}

std::string FlitEngine::described(std::uint32_t number) const {
  const FlitVc& vc = channels_[number];
  const Wire& wire = fabric_.wires()[vc.wire];
  const FlitMessage& message = sources_.message(vc.message);
  const std::string from = wire.from_npu ? "the source" : fabric_.name_of(wire.from);
  return fmt::format("a packet from NPU {} to NPU {} (vnet {}, virtual channel {} from {} to {})",
                     message.from, message.to,
                     wire.vnet + (number - channels_.first_of(vc.wire)) / vcs_per_vnet_,
                     number % vcs_per_vnet_, from, fabric_.name_of(wire.to));
}

// Follows packets to whom they wait for until one comes again.
std::string FlitEngine::waiting_circle() const {
  std::uint32_t at = 0;
  while (at < channels_.size() && (channels_[at].group == none || channels_[at].buffered == 0)) ++at;
  std::vector<std::uint32_t> route;
  while (at < channels_.size() && std::ranges::find(route, at) == route.end()) {
    route.push_back(at);
    const FlitVc& vc = channels_[at];
    if (vc.group == none) break;
    at = vc.out != none ? vc.out : groups_[vc.group].lane * vcs_per_vnet_;
  }
  if (route.empty()) return "packets wait at their sources";
  const auto first = std::ranges::find(route, at);
  std::string text;
  constexpr std::ptrdiff_t most = 8;
  for (auto i = first == route.end() ? route.begin() : first; i != route.end() && i - route.begin() < most;
       ++i)
    text += (text.empty() ? "" : ", which waits for ") + described(*i);
  return text + (first == route.end() ? "" : ", which waits for the first of them");
}

}  // namespace orrery::core
