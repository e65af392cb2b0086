#include "network/packet/routes/ns3_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/diagnostics/diagnostics.hpp"
#include "network/packet/link_rates.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "network/packet/wide_product.hpp"

namespace orrery::core {

namespace {

// MurmurHash3 for 32 bits, by Austin Appleby, who put it into the public domain.
std::uint32_t murmur_hash(std::span<const std::uint32_t> words, std::uint32_t seed) {
  std::uint32_t hash = seed;
  for (std::uint32_t word : words) {
    word *= 0xcc9e2d51u;
    word = std::rotl(word, 15);
    word *= 0x1b873593u;
    hash ^= word;
    hash = std::rotl(hash, 13) * 5 + 0xe6546b64u;
  }
  hash ^= static_cast<std::uint32_t>(words.size_bytes());
  hash ^= hash >> 16;
  hash *= 0x85ebca6bu;
  hash ^= hash >> 13;
  hash *= 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

}  // namespace

std::uint32_t ns3_address(std::uint32_t host) {
  return 0x0b000001u + (host / 256 << 16) + (host % 256 << 8);
}

std::uint32_t ns3_source_port(std::uint32_t flow) {
  constexpr std::uint32_t first = 10'000;
  return (first + flow) & 0xffff;
}

Ns3Ways::Ns3Ways(const NetworkGraph& graph, const PacketSettings& settings)
    : graph_(graph),
      numbers_(graph),
      payload_(settings.sizes.payload),
      whole_nanoseconds_(settings.whole_nanoseconds),
      largest_of_all_(settings.window.largest_of_all),
      broken_(graph.links()),
      neighbours_(graph.nodes()),
      tables_(graph.nodes()) {
  find_neighbours();
}

void Ns3Ways::find_neighbours() {
  for (const NodeId node : graph_.all_nodes()) {
    std::vector<Neighbour>& of = neighbours_[node.index()];
    of.clear();
    for (const LinkId link : graph_.links_from(node))
      if (!broken_[link.index()]) of.push_back({graph_.link(link).to, link});
    std::ranges::sort(of, [](const Neighbour& a, const Neighbour& b) {
      return a.node != b.node ? a.node > b.node : a.link > b.link;
    });
    const auto same = [](const Neighbour& a, const Neighbour& b) { return a.node == b.node; };
    of.erase(std::unique(of.begin(), of.end(), same), of.end());
  }
}

void Ns3Ways::links_changed() {
  find_neighbours();
  for (std::optional<Table>& table : tables_) table.reset();
  largest_.reset();
}

// A host with a single switch is reached by the way to that switch.
NodeId Ns3Ways::root_of(NodeId host) const {
  const std::vector<Neighbour>& of = neighbours_[host.index()];
  return of.size() == 1 && graph_.node(of[0].node).forwards ? of[0].node : host;
}

const Ns3Ways::Table& Ns3Ways::table_to(NodeId root) {
  if (!tables_[root.index()]) tables_[root.index()] = search(root);
  return *tables_[root.index()];
}

void Ns3Ways::extend(Table::Entry& entry, const Table::Entry& from, LinkId id) const {
  const NetworkLink& link = graph_.link(id);
  const std::uint64_t rate = bits_per_second(link);
  const auto bits = static_cast<std::uint64_t>(payload_) * 8;
  entry.delay = from.delay + link.latency.ps();
  entry.transmission =
      from.transmission + (whole_nanoseconds_ ? static_cast<Stamp>(bits * 1'000'000'000 / rate) * 1000
                                              : PacketClock(false).transmission(payload_, rate));
  entry.rate = from.rate == 0 ? rate : std::min(from.rate, rate);
}

// Breadth first. Nodes keep all neighbours that are a link nearer to the root.
Ns3Ways::Table Ns3Ways::search(NodeId root) const {
  Table table;
  table.nodes.resize(graph_.nodes());
  table.nodes[root.index()].reached = true;
  std::vector<std::pair<NodeId, LinkId>> hops;  // by the node that they lead on from
  std::vector<NodeId> queue{root};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const NodeId node = queue[i];
    for (const Neighbour& neighbour : neighbours_[node.index()]) {
      Table::Entry& there = table.nodes[neighbour.node.index()];
      const Table::Entry& here = table.nodes[node.index()];
      if (!there.reached) {
        there.reached = true;
        there.distance = here.distance + 1;
        extend(there, here, neighbour.link);
        if (graph_.node(neighbour.node).forwards) queue.push_back(neighbour.node);
      }
      if (there.distance != here.distance + 1) continue;
      if (const auto link = link_between(neighbour.node, node)) hops.emplace_back(neighbour.node, *link);
    }
  }
  std::ranges::stable_sort(hops, {}, &std::pair<NodeId, LinkId>::first);
  for (const auto& [node, link] : hops) {
    Table::Entry& entry = table.nodes[node.index()];
    if (entry.hops++ == 0) entry.first_hop = static_cast<std::uint32_t>(table.links.size());
    table.links.push_back(link);
  }
  return table;
}

std::optional<LinkId> Ns3Ways::link_between(NodeId from, NodeId to) const {
  const std::vector<Neighbour>& of = neighbours_[from.index()];
  const auto found = std::ranges::lower_bound(of, to, std::greater(), &Neighbour::node);
  if (found == of.end() || found->node != to) return std::nullopt;
  return found->link;
}

std::vector<LinkId> Ns3Ways::walk(NodeId source, NodeId destination, const Ends& ends) {
  const NodeId root = root_of(destination);
  const Table& table = table_to(root);
  const std::uint32_t words[] = {ends.source, ends.destination,
                                 ends.source_port | ends.destination_port << 16};
  std::vector<LinkId> route;
  NodeId node = source;
  while (node != root) {
    const Table::Entry& entry = table.nodes[node.index()];
    if (entry.hops == 0 && links_have_changed_) return {};
    if (entry.hops == 0)
      throw InputError({},
                       fmt::format("no way leads from {} to {}: add links, or have the nodes between them "
                                   "forward; hosts of ns-3's files do not",
                                   graph_.node(source).name, graph_.node(destination).name));
    const std::uint32_t choice = entry.hops == 1 ? 0 : murmur_hash(words, numbers_.of(node)) % entry.hops;
    const LinkId link = table.links[entry.first_hop + choice];
    route.push_back(link);
    node = graph_.link(link).to;
  }
  if (root != destination) route.push_back(*link_between(root, destination));
  return route;
}

std::optional<PacketRoutes> Ns3Ways::choose(int source, int destination, Channel channel, std::uint32_t) {
  return choose_again(source, destination, channel, flows_[{source, destination}]++);
}

std::optional<PacketRoutes> Ns3Ways::choose_again(int source, int destination, Channel, std::uint32_t flow) {
  const NodeId from(source), to(destination);
  const std::uint32_t port = ns3_source_port(flow);
  const std::uint32_t there = ns3_address(numbers_.of(from)), here = ns3_address(numbers_.of(to));
  PacketRoutes routes{walk(from, to, {there, here, port, ns3_destination_port}),
                      walk(to, from, {here, there, ns3_destination_port, port}), flow};
  if (routes.data.empty() || routes.acks.empty()) return std::nullopt;
  return routes;
}

PairFacts Ns3Ways::facts_of(NodeId source, NodeId destination) {
  const NodeId root = root_of(destination);
  Table::Entry route = table_to(root).nodes[source.index()];
  if (root != destination) {
    const Table::Entry rest = route;
    extend(route, rest, *link_between(root, destination));
    if (source == root) route = Table::Entry();
  }
  PairFacts facts;
  facts.rtt = 2 * route.delay + route.transmission;
  facts.rate = route.rate;
  facts.window = product_over(static_cast<std::uint64_t>(facts.rtt), route.rate, 1'000'000'000'000) / 8;
  return facts;
}

PairFacts Ns3Ways::largest_facts() {
  PairFacts largest;
  for (const NodeId to : graph_.all_npus()) {
    const Table& table = table_to(root_of(to));
    for (const NodeId from : graph_.all_npus()) {
      if (from == to || !table.nodes[from.index()].reached) continue;
      const PairFacts facts = facts_of(from, to);
      largest.rtt = std::max(largest.rtt, facts.rtt);
      largest.window = std::max(largest.window, facts.window);
      largest.rate = std::max(largest.rate, facts.rate);
    }
  }
  return largest;
}

PairFacts Ns3Ways::facts(int source, int destination, const PacketRoutes&) {
  if (!largest_of_all_) return facts_of(NodeId(source), NodeId(destination));
  if (!largest_) largest_ = largest_facts();
  return *largest_;
}

}  // namespace orrery::core
