#include "network/packet/flow_control/headroom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "network/packet/egress_queues.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/flow_control/largest_packet.hpp"
#include "network/packet/link_rates.hpp"
#include "network/packet/wide_product.hpp"

namespace orrery::core {
namespace {

constexpr std::uint64_t bit_ps_of_a_byte = 8'000'000'000'000;

// Returns the place of the first key, or of the second one where the first is not given.
SourceLocation place_of(const PacketSettings& settings, std::string_view key, std::string_view other) {
  return settings.place_or_none(settings.place_of(key) ? key : other);
}

}  // namespace

Headroom::Headroom(const NetworkGraph& graph, const LinkChanges* changes, const PacketSettings& settings)
    : graph_(graph), settings_(settings), largest_packet_(orrery::core::largest_packet(settings)) {
  if (changes) min_share_.resize(graph.links(), 1);
  if (changes)
    for (const LinkChange& change : changes->list)
      if (change.share > 0)
        min_share_[change.link.index()] = std::min(min_share_[change.link.index()], change.share);
  buffer_ = settings.buffer.bytes.value_or(usual_buffer());
}

std::uint64_t Headroom::usual_buffer() const {
  constexpr std::uint64_t of_switches = 32u << 20, largest = std::uint64_t{2} << 30;
  if (settings_.buffer.wraps) return of_switches;
  std::uint64_t most = 0;
  for (const NodeId node : graph_.all_nodes())
    if (graph_.node(node).forwards) most = std::max(most, set_aside(node));
  return std::max(of_switches, std::min(2 * most, largest));
}

// The pause may have to wait for a packet that is being sent, and for what has been asked of the sender about
// other priorities. When it arrives, the sender may just have begun a packet. Meanwhile the link brings what
// is sent until then and what it holds. The packet that makes the switch ask is the first of all these.
std::uint64_t Headroom::needed(LinkId port) const {
  const LinkId entry = graph_.reverse(port);
  if (entry == LinkId::none) return 0;
  const NetworkLink &in = graph_.link(entry), &back = graph_.link(port);
  const double share = min_share_.empty() ? 1 : min_share_[port.index()];
  const auto rate_back = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(static_cast<double>(bits_per_second(back)) * share));
  const std::uint64_t ahead =
      largest_packet_ + std::uint64_t{priorities - 1} * settings_.sizes.pause;  // bytes, the pause included
  const PacketClock clock(settings_.whole_nanoseconds);
  const Stamp takes = clock.transmission(ahead, rate_back) + clock.not_before(back.latency.ps()) +
                      clock.not_before(in.latency.ps());
  return 2 * std::uint64_t{largest_packet_} + 1 +
         product_over(bits_per_second(in), static_cast<std::uint64_t>(takes), bit_ps_of_a_byte);
}

std::uint64_t Headroom::in_three_delays(LinkId port) const {
  const NetworkLink& link = graph_.link(port);
  const Stamp delay = PacketClock(settings_.whole_nanoseconds).not_before(link.latency.ps());
  return 3 * product_over(bits_per_second(link), static_cast<std::uint64_t>(delay), bit_ps_of_a_byte);
}

std::uint64_t Headroom::of(LinkId port) const {
  if (settings_.flow_control->loses) return 0;
  if (settings_.buffer.headroom) return *settings_.buffer.headroom;
  return settings_.buffer.three_delays ? in_three_delays(port) : needed(port);
}

// Where pauses have fixed thresholds, all of the buffer is for all ports.
std::uint64_t Headroom::set_aside(NodeId node) const {
  if (settings_.buffer.pause_above > 0) return 0;
  std::uint64_t bytes = 0;
  for (const LinkId port : graph_.links_from(node)) bytes += of(port) + settings_.buffer.reserve;
  return bytes;
}

int shift_of_port(std::uint64_t rate, std::uint64_t host_rate, int of_hosts) {
  int shift = of_hosts;
  for (; rate > host_rate && host_rate > 0 && shift > 0; rate /= 2) --shift;
  return shift;
}

namespace {

// Throws InputError where a port of a node could not even take in a packet while the node is empty.
void require_room_for_a_packet(const NetworkGraph& graph, NodeId node, const Headroom& headroom,
                               const PacketSettings& settings) {
  if (settings.buffer.pause_above > 0) return;
  const std::span<const LinkId> of_host = graph.links_from(NodeId(0));
  const std::uint64_t host_rate = of_host.empty() ? 0 : bits_per_second(graph.link(of_host[0]));
  const std::uint64_t pool = headroom.buffer_of(node) - headroom.set_aside(node),
                      packet = largest_packet(settings);
  for (const LinkId port : graph.links_from(node)) {
    const std::uint64_t part =
        pool >> shift_of_port(bits_per_second(graph.link(port)), host_rate, settings.buffer.alpha_shift);
    if (part >= packet || headroom.of(port) >= packet) continue;
    throw InputError(
        place_of(settings, "buffer", "headroom"),
        fmt::format("{} has a buffer of {} bytes, of which a port may use {} at most: no packet of "
                    "{} bytes ever gets in; make `buffer` larger, or packets smaller",
                    graph.node(node).name, headroom.buffer_of(node), part, packet));
  }
}

}  // namespace

void require_room(const NetworkGraph& graph, const Headroom& headroom, const PacketSettings& settings) {
  if (settings.buffer.wraps) return;
  for (const NodeId node : graph.all_nodes()) {
    if (!graph.node(node).forwards) continue;
    const std::uint64_t set_aside = headroom.set_aside(node);
    if (set_aside >= headroom.buffer_of(node))
      throw InputError(
          place_of(settings, "buffer", "headroom"),
          fmt::format("{} has a buffer of {} bytes, but its {} ports need {} as reserve and headroom alone: "
                      "make `buffer` larger, or cables shorter",
                      graph.node(node).name, headroom.buffer_of(node), graph.links_from(node).size(),
                      set_aside));
    require_room_for_a_packet(graph, node, headroom, settings);
  }
}

namespace {

void warn_of_short_headroom(const NetworkGraph& graph, const Headroom& headroom,
                            const PacketSettings& settings, Warnings& warnings) {
  LinkId worst = LinkId::none;
  std::uint64_t most = *settings.buffer.headroom;
  for (const LinkId port : graph.all_links())
    if (graph.node(graph.link(port).from).forwards && headroom.needed(port) > most) {
      worst = port;
      most = headroom.needed(port);
    }
  if (worst == LinkId::none) return;
  const NetworkLink& link = graph.link(worst);
  warnings.add(
      settings.place_or_none("headroom"),
      fmt::format("a headroom of {} bytes may lose packets: after {} has asked {} to pause, up to "
                  "{} bytes still come; give as many, or leave `headroom` out",
                  *settings.buffer.headroom, graph.node(link.from).name, graph.node(link.to).name, most));
}

void warn_of_late_pauses(const NetworkGraph& graph, const Headroom& headroom, const PacketSettings& settings,
                         Warnings& warnings) {
  const SharedBufferSettings& buffer = settings.buffer;
  for (const NodeId node : graph.all_nodes()) {
    if (!graph.node(node).forwards) continue;
    std::uint64_t most = 0;
    for (const LinkId port : graph.links_from(node))
      most += buffer.pause_above * settings.sizes.payload + headroom.needed(port);
    if (most <= headroom.buffer_of(node)) continue;
    warnings.add(
        place_of(settings, "pause-above", "buffer"),
        fmt::format("{} may lose packets: its {} ports may hold {} bytes until all senders have "
                    "paused, and its buffer has {}; make `buffer` larger or `pause-above` less",
                    graph.node(node).name, graph.links_from(node).size(), most, headroom.buffer_of(node)));
    return;
  }
}

}  // namespace

void warn_of_losses(const NetworkGraph& graph, const Headroom& headroom, const PacketSettings& settings,
                    Warnings& warnings) {
  if (settings.buffer.headroom) warn_of_short_headroom(graph, headroom, settings, warnings);
  if (settings.buffer.pause_above > 0) warn_of_late_pauses(graph, headroom, settings, warnings);
}

}  // namespace orrery::core
