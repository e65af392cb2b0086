#include "network/packet/routes/per_packet_routing.hpp"

#include <algorithm>

#include "network/packet/settings/packet_settings.hpp"

namespace orrery::core {

// A switch mixes what it knows of a packet with a number of its own.
std::uint64_t PerPacketRouting::hash(std::uint32_t number, const Packet& packet) const {
  Random of_switch(seed_ << 32 ^ number);
  Random of_flow(of_switch.next() ^ packet.queue_pair);
  return Random(of_flow.next() ^ packet.label).next();
}

const RouteTable::Branch& PerPacketRouting::choose(std::uint32_t number, const RouteTable& routes,
                                                   const Packet& packet) {
  const std::vector<RouteTable::Branch>& branches = routes.branches(number);
  if (branches.size() == 1) return branches[0];
  find_open(branches);
  // Flows to different destinations begin with different links.
  while (turns_.size() <= number) turns_.push_back(turns_.size());
  PacketJunction point{.waiting = waiting_,
                       .turn = turns_[number]++,
                       .random = links_.random().next(),
                       .label_hash = labels_ ? hash(number, packet) : 0,
                       .before = {},
                       .interval_ps = interval_ps_};
  if (!remembers_flows_) return *open_[choose_(point)];
  const Stamp now = links_.now();
  const auto [entry, is_new] = of_flows_.try_emplace(std::uint64_t{number} << 32 | packet.queue_pair);
  Memory& memory = entry->second;
  if (!is_new && memory.link < open_.size())
    point.before = {memory.link, now - memory.last, now - memory.since};
  const std::size_t link = choose_(point);
  if (is_new || link != memory.link || now - memory.since >= interval_ps_) memory.since = now;
  memory.link = link;
  memory.last = now;
  return *open_[link];
}

void PerPacketRouting::find_open(const std::vector<RouteTable::Branch>& branches) {
  const bool any_open = std::ranges::any_of(
      branches, [&](const RouteTable::Branch& branch) { return !links_.port(branch.link).broken; });
  open_.clear();
  waiting_.clear();
  for (const RouteTable::Branch& branch : branches) {
    const PacketPort& port = links_.port(branch.link);
    if (any_open && port.broken) continue;
    open_.push_back(&branch);
    waiting_.push_back(port.queues.bytes() / grade_);
  }
}

}  // namespace orrery::core
