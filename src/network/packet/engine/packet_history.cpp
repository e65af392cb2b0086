#include "network/packet/engine/packet_history.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "network/busiest_links.hpp"
#include "network/packet/wide_product.hpp"
#include "topology/graph/measures/link_levels.hpp"

namespace orrery::core {
namespace {

constexpr double first_interval_ns = 100;

// Returns the bytes that have left a port by now; those of a packet count while it is being sent.
std::uint64_t bytes_sent(const PacketPort& port, Stamp now) {
  if (port.free_at <= now) return port.bytes;
  constexpr std::uint64_t bit_ps_of_a_byte = 8'000'000'000'000;
  return port.bytes - std::min(port.bytes, product_over(static_cast<std::uint64_t>(port.free_at - now),
                                                        port.rate, bit_ps_of_a_byte));
}

bool is_used(const PacketPort& port) {
  return port.packets > 0 || port.drops > 0 || port.longest_queue.highest() > 0;
}

// Returns the nodes of the largest values, largest first.
std::vector<NodeId> largest(std::vector<std::pair<double, NodeId>> nodes) {
  std::ranges::stable_sort(nodes, std::greater(), &std::pair<double, NodeId>::first);
  if (nodes.size() > max_in_history) nodes.resize(max_in_history);
  std::vector<NodeId> first;
  for (const auto& [most, node] : nodes) first.push_back(node);
  return first;
}

}  // namespace

PacketHistory::PacketHistory(const NetworkGraph& graph)
    : links_(graph.links(), first_interval_ns),
      switches_(graph.nodes(), first_interval_ns),
      seen_(graph.links()) {}

Stamp PacketHistory::interval() const {
  return static_cast<Stamp>(std::llround(links_.interval_ns() * 1000));
}

PacketInterval PacketHistory::since_look(const PacketPort& port, const Seen& seen, Stamp now) const {
  return {std::max(bytes_sent(port, now), seen.bytes) - seen.bytes, port.longest_queue.recent(),
          port.drops - seen.drops, port.marks - seen.marks};
}

void PacketHistory::look(PacketNetwork& network) {
  const Stamp now = next_look();
  for (const LinkId id : first_ids<LinkId>(seen_.size())) {
    PacketPort& port = network.links().port(id);
    if (!is_used(port)) continue;
    const PacketInterval all = since_look(port, seen_[id.index()], now);
    links_.all(id.index())[ended_] += all;
    seen_[id.index()] = {seen_[id.index()].bytes + all.bytes, port.drops, port.marks};
    port.longest_queue.take_recent(port.queues.bytes());
  }
  FlowControl& flow_control = network.flow_control();
  for (const NodeId node : network.graph().all_nodes())
    if (flow_control.peak_of(node) > 0)
      switches_.all(node.index())[ended_] += HeldInInterval{flow_control.take_recent_peak(node)};
  if (++ended_ < links_.max_intervals) return;
  links_.double_interval();
  switches_.double_interval();
  ended_ /= 2;
}

LinkHistory PacketHistory::history(const PacketNetwork& network) const {
  const bool has_begun = network.links().now() > interval() * static_cast<Stamp>(ended_);
  const std::size_t intervals = ended_ + (has_begun ? 1 : 0);
  return {Time::from_ps(interval()), links(network, intervals), switches(network, intervals)};
}

std::vector<LinkSeries> PacketHistory::links(const PacketNetwork& network, std::size_t intervals) const {
  const std::vector<PacketPort>& ports = network.links().ports();
  const LinkLevels levels(network.topology());
  std::vector<BusyLink> busy;
  for (const LinkId id : first_ids<LinkId>(ports.size()))
    if (is_used(ports[id.index()]))
      busy.push_back({static_cast<double>(ports[id.index()].busy), id, levels.name_of(id)});
  std::vector<LinkSeries> series;
  for (BusyLink& one : busiest_of_levels(std::move(busy))) {
    const LinkId id = one.link;
    const NetworkLink& link = network.graph().link(id);
    LinkSeries& of = series.emplace_back();
    of.from = network.graph().node(link.from).name;
    of.to = network.graph().node(link.to).name;
    of.level = std::move(one.level);
    of.bytes_per_ns = link.bandwidth.bytes_per_ns();
    of.packets = links_.first(id.index(), intervals);
    of.packets.resize(intervals);
    if (ended_ < intervals)
      of.packets[ended_] += since_look(ports[id.index()], seen_[id.index()], network.links().now());
    for (const PacketInterval& interval : of.packets) of.bytes.push_back(static_cast<double>(interval.bytes));
  }
  return series;
}

std::vector<SwitchSeries> PacketHistory::switches(const PacketNetwork& network, std::size_t intervals) const {
  const FlowControl& flow_control = network.flow_control();
  std::vector<std::pair<double, NodeId>> full;
  for (const NodeId node : network.graph().all_nodes())
    if (network.graph().node(node).forwards && flow_control.peak_of(node) > 0)
      full.emplace_back(static_cast<double>(flow_control.peak_of(node)), node);
  std::vector<SwitchSeries> series;
  for (const NodeId node : largest(std::move(full))) {
    SwitchSeries& of = series.emplace_back(SwitchSeries{network.graph().node(node).name, {}});
    of.held = switches_.first(node.index(), intervals);
    of.held.resize(intervals);
    if (ended_ < intervals) of.held[ended_] += HeldInInterval{flow_control.recent_peak_of(node)};
  }
  return series;
}

}  // namespace orrery::core
