#include "network/packet/stalls/packet_stall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/stalls/stuck_links.hpp"

namespace orrery::core {
namespace {

class PacketStall {
 public:
  explicit PacketStall(const StalledPackets& network) : network_(network) {}

  std::vector<std::string> deadlock() const;
  std::vector<std::string> waiting_flows() const;

 private:
  using Places = std::map<std::uint32_t, LinkLane>;  // by queue pair: where one of its packets waits

  std::string name(LinkId link) const {
    const PacketPort& port = network_.links.port(link);
    return network_.graph.node(port.node).name + "->" + network_.graph.node(port.peer).name;
  }
  std::string name_of_other_end(LinkId link) const {
    return network_.graph.node(network_.links.port(link).peer).name;
  }
  // Switches that add up, and NICs in front of them, send and receive messages, too.
  std::string name_of_end(int node) const {
    const NodeId id(node);
    return network_.graph.is_npu(id) ? fmt::format("NPU {}", node) : network_.graph.node(id).name;
  }
  std::string ends(const QueuePair& pair) const {
    return name_of_end(pair.source) + " to " + name_of_end(pair.destination);
  }
  // Returns why the lane is held, such as "priority 3 is paused".
  std::string held(int lane) const {
    const FlowControlKind& kind = *network_.settings.flow_control;
    return fmt::format("{} {} {}", kind.lanes ? "lane" : "priority", lane, kind.held_as);
  }
  std::string flows(const std::set<std::uint32_t>& queue_pairs) const;
  Places places() const;
  std::string reason(const QueuePair& pair, const Places& places) const;

  const StalledPackets& network_;
};

std::string PacketStall::flows(const std::set<std::uint32_t>& queue_pairs) const {
  constexpr std::size_t most = 2;
  std::string text;
  std::size_t named = 0;
  for (const std::uint32_t number : queue_pairs) {
    if (named++ == most) return text + fmt::format(" and {} more", queue_pairs.size() - most);
    text += (text.empty() ? "" : ", ") + ends(network_.pairs[number]);
  }
  return text;
}

std::vector<std::string> PacketStall::deadlock() const {
  const StuckLinks stuck(network_.links, network_.flow_control);
  if (!stuck.any()) return {};
  constexpr std::size_t most = 12;
  const std::vector<LinkLane> circle = stuck.circle();
  std::vector<std::string> lines{fmt::format(
      "{} links wait for one another in a circle, for ever (a deadlock of flow control):", circle.size())};
  for (std::size_t i = 0; i < circle.size() && i < most; ++i) {
    const LinkLane at = circle[i], next = circle[(i + 1) % circle.size()];
    const StuckLinks::Waiting& waiting = stuck.waiting(at, next);
    lines.push_back(fmt::format("  {}: {}, as {} in {} for {}, of {}", name(at.link), held(at.lane),
                                waiting.packets == 1
                                    ? "a packet that came over it waits"
                                    : fmt::format("{} packets that came over it wait", waiting.packets),
                                name_of_other_end(at.link), name(next.link), flows(waiting.queue_pairs)));
  }
  if (circle.size() > most)
    lines.push_back(fmt::format("  and so on, over {} more links", circle.size() - most));
  if (const std::size_t others = stuck.count() - circle.size(); others > 0)
    lines.push_back(fmt::format("{} other links wait for these", others));
  lines.push_back(
      "choose another routing, whose ways form no circle, or windows so small that buffers never fill");
  return lines;
}

PacketStall::Places PacketStall::places() const {
  Places places;
  for (const LinkId link : first_ids<LinkId>(network_.links.ports().size())) {
    const EgressQueues& queues = network_.links.port(link).queues;
    for (unsigned waiting = queues.waiting(); waiting != 0; waiting &= waiting - 1) {
      const int lane = std::countr_zero(waiting);
      for (PacketId id = queues.first(lane); id != no_packet; id = network_.links.packets()[id].next)
        if (const Packet& packet = network_.links.packets()[id]; !is_for_link(packet.kind))
          places.try_emplace(packet.queue_pair, LinkLane{link, lane});
    }
  }
  return places;
}

std::string PacketStall::reason(const QueuePair& pair, const Places& places) const {
  const auto whether_held = [&](LinkId link, int lane) {
    return network_.links.port(link).queues.is_paused(lane) || network_.flow_control.is_held(link, lane)
               ? fmt::format(", where {}", held(lane))
               : "";
  };
  if (const auto place = places.find(pair.sender.number); place != places.end()) {
    const auto [link, lane] = place->second;
    return fmt::format("a packet of it waits for {}{}", name(link),
                       whether_held(link, lane == 0 ? pair.priority : lane));
  }
  if (pair.under_way > 0) return "packets of it are under way";
  if (pair.unacknowledged() > 0) return "nothing of the rest is under way";
  return fmt::format("it sends nothing over {}{}", name(pair.port), whether_held(pair.port, pair.priority));
}

std::vector<std::string> PacketStall::waiting_flows() const {
  constexpr std::size_t most = 5;
  std::vector<std::string> lines;
  std::size_t unfinished = 0;
  const Places places_of_packets = places();
  for (const QueuePair& pair : network_.pairs.all()) {
    if (!pair.in_use || pair.is_finished() || ++unfinished > most) continue;
    lines.push_back(fmt::format("of {} {} of {} bytes are acknowledged: {}", ends(pair),
                                pair.sender.acknowledged, pair.size, reason(pair, places_of_packets)));
  }
  if (unfinished > most) lines.push_back(fmt::format("and so for {} more", unfinished - most));
  if (const std::uint64_t drops = network_.links.totals().drops; drops > 0 && unfinished > 0)
    lines.push_back(fmt::format("{} packets were lost", drops));
  return lines;
}

}  // namespace

std::vector<std::string> explain_deadlock(const StalledPackets& network) {
  return PacketStall(network).deadlock();
}

std::vector<std::string> explain_stall(const StalledPackets& network) {
  std::vector<std::string> lines = explain_deadlock(network);
  return lines.empty() ? PacketStall(network).waiting_flows() : lines;
}

}  // namespace orrery::core
