// Sends again what nobody acknowledges.
#include <fmt/format.h>

#include "base/diagnostics.hpp"
#include "network/packet/packet_hosts.hpp"

namespace orrery {

void PacketHosts::watch(QueuePair& pair) {
  if (!settings_.reliability.timeouts) return;
  pair.deadline = links_.now() + pair.timeout(settings_.reliability);
  if (pair.watched) return;
  pair.watched = true;
  links_.push(pair.deadline, PacketHappening::deadline, pair.sender.number, ++pair.watch);
}

void PacketHosts::pass_deadline(std::uint32_t number, std::uint32_t watch_number) {
  QueuePair& pair = pairs_[number];
  if (pair.watch != watch_number || pair.ended) return;
  pair.watched = false;
  if (links_.now() < pair.deadline) {
    pair.watched = true;
    links_.push(pair.deadline, PacketHappening::deadline, number, ++pair.watch);
    return;
  }
  if (pair.unacknowledged() > 0) {
    if (++pair.timeouts > settings_.reliability.retries) {
      const NetworkLink& first = graph_.link(pair.port);
      throw StallError(fmt::format(
          "at {:.12g} us {} gives up a message after {} retries, of which nothing has been acknowledged{}{}",
          Time::from_ps(links_.now()).us(), graph_.node(first.from).name, settings_.reliability.retries,
          links_.totals().drops > 0 ? ": " : "", links_.stall()));
    }
    if (control_) control_->timed_out(pair.sender, links_.now());
    reliability_->time_out(pair);
  }
  watch(pair);
  links_.kick(pair.port);
}

}  // namespace orrery
