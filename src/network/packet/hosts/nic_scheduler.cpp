#include "network/packet/hosts/nic_scheduler.hpp"

#include <algorithm>

namespace orrery::core {

void NicScheduler::list(QueuePair& pair) {
  pair.listed = true;
  nics_[pair.port.index()].flows.push_back(pair.sender.number);
  links_.port(pair.port).has_flows = true;
}

void NicScheduler::unlist(const QueuePair& pair, LinkId port) {
  std::erase(nics_[port.index()].flows, pair.sender.number);
  links_.port(port).has_flows = !nics_[port.index()].flows.empty();
}

unsigned NicScheduler::lanes(LinkId port) const {
  unsigned lanes = 0;
  for (const std::uint32_t flow : nics_[port.index()].flows) {
    const QueuePair& pair = pairs_[flow];
    if (pair.may_send(settings_.window.follows_rate) && pair.sender.next_send <= links_.now())
      lanes |= 1u << pair.priority;
  }
  return lanes;
}

// Flows that have ended leave the list when the search passes one of them.
QueuePair* NicScheduler::next(LinkId id, unsigned held) {
  Nic& nic = nics_[id.index()];
  const std::size_t count = nic.flows.size();
  std::size_t first_ended = count;
  int found = -1;
  std::size_t place = nic.last;
  for (std::size_t i = 1; i <= count; ++i) {
    if (++place >= count) place = place == count ? 0 : place % count;  // a division would take long
    const QueuePair& pair = pairs_[nic.flows[place]];
    if ((held >> pair.priority & 1) == 0 && pair.may_send(settings_.window.follows_rate)) {
      if (pair.sender.next_send > links_.now()) continue;
      found = static_cast<int>(place);
      break;
    }
    if (pair.is_finished()) first_ended = std::min(first_ended, place);
  }
  if (first_ended < count) remove_finished(nic, first_ended, found);
  links_.port(id).has_flows = !nic.flows.empty();
  if (found < 0) return nullptr;
  nic.last = static_cast<std::size_t>(found);
  return &pairs_[nic.flows[nic.last]];
}

// `found` is the place of a flow in the list. It changes when flows before it are removed.
void NicScheduler::remove_finished(Nic& nic, std::size_t from, int& found) {
  std::size_t to = from;
  for (std::size_t place = from; place < nic.flows.size(); ++place) {
    QueuePair& pair = pairs_[nic.flows[place]];
    if (pair.is_finished()) {
      pair.listed = false;
      pairs_.release(pair);
      continue;
    }
    if (static_cast<int>(place) == found) found = static_cast<int>(to);
    nic.flows[to++] = nic.flows[place];
  }
  nic.flows.resize(to);
}

void NicScheduler::plan_wake(LinkId id) {
  Nic& nic = nics_[id.index()];
  if (nic.wakes && settings_.wakes_for_all_flows) return;
  Stamp first = PacketEvents::never;
  for (const std::uint32_t flow : nic.flows)
    if (settings_.wakes_for_all_flows || pairs_[flow].may_send(settings_.window.follows_rate))
      first = std::min(first, pairs_[flow].sender.next_send);
  if (first <= links_.now() || first == PacketEvents::never || (nic.wakes && nic.wakes_at <= first)) return;
  nic.wakes = true;
  nic.wakes_at = first;
  links_.push(first, PacketHappening::nic_wakes, id.value(), ++nic.wake);
}

void NicScheduler::look_earlier(const QueuePair& pair) {
  Nic& nic = nics_[pair.port.index()];
  if (!nic.wakes || pair.sender.next_send >= nic.wakes_at) return;
  nic.wakes_at = std::max(links_.now(), pair.sender.next_send);
  links_.push(nic.wakes_at, PacketHappening::nic_wakes, pair.port.value(), ++nic.wake);
}

bool NicScheduler::wake(LinkId port, std::uint32_t number) {
  if (nics_[port.index()].wake != number) return false;
  nics_[port.index()].wakes = false;
  return true;
}

}  // namespace orrery::core
