#include "network/graph/graph_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/diagnostics.hpp"
#include "base/random.hpp"
#include "network/message_time.hpp"

namespace orrery {
namespace {

std::uint64_t hash_of(int source, int destination, Channel channel) {
  const std::uint64_t ends =
      (std::uint64_t{static_cast<std::uint32_t>(source)} << 32) | static_cast<std::uint32_t>(destination);
  return Random(ends).next() ^ channel.number ^ (std::uint64_t{channel.for_one} << 32);
}

}  // namespace

std::size_t GraphWays::Hash::operator()(const Key& key) const {
  return Random(hash_of(key.source, key.destination, key.channel)).next();
}

std::uint32_t GraphWays::between(int source, int destination, Channel channel) {
  const auto [found, is_new] = known_.try_emplace({source, destination, channel}, 0);
  if (!is_new) return found->second;
  std::vector<LinkId> links;
  const auto from = static_cast<NodeId>(source), to = static_cast<NodeId>(destination);
  if (!routes_.find(from, to, hash_of(source, destination, channel), links)) {
    known_.erase(found);
    throw InputError({}, fmt::format("no way leads from {} to {}: add links, or have the nodes between them "
                                     "forward",
                                     graph_.node(from).name, graph_.node(to).name));
  }
  const int dimension = carrying_dimension(source, destination);
  for (const LinkId link : links) dimension_of_link_[link] = std::min(dimension_of_link_[link], dimension);
  const auto [way, is_new_way] = by_links_.try_emplace(links, static_cast<std::uint32_t>(ways_.size()));
  found->second = way->second;
  if (!is_new_way) return way->second;
  double slowest = std::numeric_limits<double>::infinity();
  Time latency;
  for (const LinkId link : links) {
    slowest = std::min(slowest, graph_.link(link).bandwidth.bytes_per_ns());
    latency += graph_.link(link).latency;
  }
  ways_.push_back({std::move(links), slowest, latency, {}});
  return way->second;
}

int GraphWays::carrying_dimension(int source, int destination) const {
  auto d = static_cast<int>(dimensions_.size()) - 1;
  while (d > 0 && dimensions_[static_cast<std::size_t>(d)].position(source) ==
                      dimensions_[static_cast<std::size_t>(d)].position(destination))
    --d;
  return d;
}

Time GraphWays::alone(std::uint32_t number, Bytes bytes) const {
  const Way& way = ways_[number];
  const double ns = bytes.as_double() / way.bytes_per_ns + way.latency.ns();
  check_message_time(ns, bytes, graph_.node(graph_.link(way.links.back()).to).name, "to");
  return Time::from_ns_rounded(ns);
}

std::vector<LinkUse> GraphWays::links() const {
  std::vector<LinkLoad> loads(graph_.links());
  for (const Way& way : ways_)
    for (const LinkId link : way.links) loads[link] += way.load;
  std::vector<LinkUse> uses;
  for (LinkId id = 0; id < loads.size(); ++id) {
    if (loads[id].messages == 0) continue;
    const NetworkLink& link = graph_.link(id);
    uses.push_back({graph_.node(link.from).name, graph_.node(link.to).name, dimension_of_link_[id], 1,
                    loads[id],
                    Time::from_ns_rounded(loads[id].bytes.as_double() / link.bandwidth.bytes_per_ns())});
  }
  std::ranges::stable_sort(uses, [](const LinkUse& a, const LinkUse& b) { return a.busy > b.busy; });
  return uses;
}

}  // namespace orrery
