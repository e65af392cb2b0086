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
  const auto from = static_cast<NodeId>(source), to = static_cast<NodeId>(destination);
  std::optional<Route> route = routes_.find(from, to, hash_of(source, destination, channel));
  if (!route) {
    known_.erase(found);
    throw InputError({}, fmt::format("no way leads from {} to {}: add links, or have the nodes between them "
                                     "forward",
                                     graph_.node(from).name, graph_.node(to).name));
  }
  const int dimension = carrying_dimension(source, destination);
  for (const Route::Part& part : route->parts)
    dimension_of_link_[part.link] = std::min(dimension_of_link_[part.link], dimension);
  const auto [way, is_new_way] =
      by_links_.try_emplace(route->parts, static_cast<std::uint32_t>(ways_.size()));
  found->second = way->second;
  if (!is_new_way) return way->second;
  double slowest = std::numeric_limits<double>::infinity();
  for (const Route::Part& part : route->parts)
    slowest = std::min(slowest, graph_.link(part.link).bandwidth.bytes_per_ns() / part.share);
  ways_.push_back({std::move(*route), slowest, {}});
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
  const double ns = bytes.as_double() / way.bytes_per_ns + way.route.latency.ns();
  check_message_time(ns, bytes, graph_.node(graph_.link(way.route.parts.back().link).to).name, "to");
  return Time::from_ns_rounded(ns);
}

std::vector<LinkUse> GraphWays::links() const {
  struct Load {
    double bytes = 0;
    std::uint64_t messages = 0;
  };
  std::vector<Load> loads(graph_.links());
  for (const Way& way : ways_) {
    for (const Route::Part& part : way.route.parts) {
      loads[part.link].bytes += way.load.bytes.as_double() * part.share;
      loads[part.link].messages += way.load.messages;
    }
  }
  std::vector<LinkUse> uses;
  for (LinkId id = 0; id < loads.size(); ++id) {
    if (loads[id].messages == 0) continue;
    const NetworkLink& link = graph_.link(id);
    uses.push_back({graph_.node(link.from).name,
                    graph_.node(link.to).name,
                    dimension_of_link_[id],
                    1,
                    {Bytes::rounded(loads[id].bytes), loads[id].messages},
                    Time::from_ns_rounded(loads[id].bytes / link.bandwidth.bytes_per_ns())});
  }
  std::ranges::stable_sort(uses, [](const LinkUse& a, const LinkUse& b) { return a.busy > b.busy; });
  return uses;
}

}  // namespace orrery
