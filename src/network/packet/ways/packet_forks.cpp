#include "network/packet/ways/packet_forks.hpp"

#include <algorithm>

#include "network/packet/settings/packet_settings.hpp"

namespace orrery {

// A switch mixes what it knows of a packet with a number of its own.
std::uint64_t PacketForks::hash(std::uint32_t number, const Packet& packet) const {
  Random of_switch(seed_ << 32 ^ number);
  Random of_flow(of_switch.next() ^ packet.queue_pair);
  return Random(of_flow.next() ^ packet.label).next();
}

const StoredWays::Branch& PacketForks::choose(std::uint32_t number, const StoredWays& ways,
                                              const Packet& packet) {
  const std::vector<StoredWays::Branch>& branches = ways.branches(number);
  if (branches.size() == 1) return branches[0];
  find_open(branches);
  // Flows to different destinations begin with different links.
  while (turns_.size() <= number) turns_.push_back(turns_.size());
  PacketJunction junction{.waiting = waiting_,
                          .turn = turns_[number]++,
                          .random = links_.random().next(),
                          .label_hash = labels_ ? hash(number, packet) : 0,
                          .before = {},
                          .interval_ps = interval_ps_};
  if (!remembers_flows_) return *open_[choose_(junction)];
  const Stamp now = links_.now();
  const auto [entry, is_new] = of_flows_.try_emplace(std::uint64_t{number} << 32 | packet.queue_pair);
  Memory& memory = entry->second;
  if (!is_new && memory.link < open_.size())
    junction.before = {memory.link, now - memory.last, now - memory.since};
  const std::size_t link = choose_(junction);
  if (is_new || link != memory.link || now - memory.since >= interval_ps_) memory.since = now;
  memory.link = link;
  memory.last = now;
  return *open_[link];
}

void PacketForks::find_open(const std::vector<StoredWays::Branch>& branches) {
  const bool any_open = std::ranges::any_of(
      branches, [&](const StoredWays::Branch& branch) { return !links_.port(branch.link).broken; });
  open_.clear();
  waiting_.clear();
  for (const StoredWays::Branch& branch : branches) {
    const PacketPort& port = links_.port(branch.link);
    if (any_open && port.broken) continue;
    open_.push_back(&branch);
    waiting_.push_back(port.queues.bytes() / grade_);
  }
}

}  // namespace orrery
