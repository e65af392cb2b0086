// Sends packets again that nobody acknowledges.
#include <fmt/format.h>

#include "base/diagnostics/diagnostics.hpp"
#include "network/packet/hosts/packet_hosts.hpp"
#include "network/packet/stalls/packet_stall.hpp"

namespace orrery::core {
namespace {

[[noreturn]] void give_up(const QueuePair& pair, const StalledPackets& network) {
  throw StallError(
      fmt::format(
          "at {:.12g} us {} gives up a message after {} retries, of which nothing has been acknowledged",
          Time::from_ps(network.links.now()).us(),
          network.graph.node(network.links.port(pair.port).node).name, network.settings.reliability.retries),
      explain_stall(network));
}

}  // namespace

void PacketHosts::watch(QueuePair& pair) {
  if (!settings_.reliability.timeouts) return;
  pair.deadline = links_.now() + pair.timeout(settings_.reliability);
  if (pair.watched) return;
  pair.watched = true;
  links_.push(pair.deadline, PacketHappening::deadline, pair.sender.number, ++pair.watch);
}

// Where switches pause senders or give them credits, packets are only late as long as none has been lost, and
// are not sent again. Adapters on such networks have timeouts that are longer than any pause.
bool PacketHosts::pass_deadline(std::uint32_t number, std::uint32_t watch_number) {
  QueuePair& pair = pairs_[number];
  if (pair.watch != watch_number || pair.ended) return false;
  pair.watched = false;
  if (links_.now() < pair.deadline) {
    pair.watched = true;
    links_.push(pair.deadline, PacketHappening::deadline, number, ++pair.watch);
    return false;
  }
  const std::uint64_t in_flight = pair.in_flight();
  const bool waits = pair.unacknowledged() > 0 || (grants_ && grants_->waits(pair));
  if (waits && (pair.may_lack_packets() || pair.under_way == 0)) {
    if (++pair.timeouts > settings_.reliability.retries)
      give_up(pair, {graph_, settings_, links_, switches_.flow_control(), pairs_});
    if (control_) control_->timed_out(pair.sender, links_.now());
    reliability_->time_out(pair);
    if (grants_) grants_->time_out(pair, in_flight);
  }
  watch(pair);
  links_.kick(pair.port);
  return true;
}

}  // namespace orrery::core
