#include "network/packet/packet_forks.hpp"

#include <algorithm>

#include "network/packet/packet_settings.hpp"

namespace orrery {

const StoredWays::Branch& PacketForks::choose(std::uint32_t number, const StoredWays& ways,
                                              std::uint32_t queue_pair) {
  const std::vector<StoredWays::Branch>& branches = ways.branches(number);
  if (branches.size() == 1) return branches[0];
  find_open(branches);
  // Flows to different destinations begin with different links.
  while (turns_.size() <= number) turns_.push_back(turns_.size());
  PacketJunction junction{.waiting = waiting_,
                          .turn = turns_[number]++,
                          .random = links_.random().next(),
                          .before = {},
                          .interval_ps = interval_ps_};
  if (!remembers_flows_) return *open_[choose_(junction)];
  const Stamp now = links_.now();
  const auto [entry, is_new] = of_flows_.try_emplace(std::uint64_t{number} << 32 | queue_pair);
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
    waiting_.push_back(port.queues.bytes());
  }
}

}  // namespace orrery
