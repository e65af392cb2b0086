#include "topology/graph/routing/found_routes.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace orrery::core {

std::size_t FoundRoutes::Hash::operator()(const Key& key) const {
  const std::uint64_t ends = (std::uint64_t{key.source.index()} << 32) | key.destination.index();
  return Random(ends ^ Random(key.flow).next()).next();
}

// Those of plug-ins may have a state of their own.
bool FoundRoutes::can_remember(const RoutingKind& routing) {
  const auto is_it = [&](const auto& word) { return word.value == &routing; };
  return !routing.by_message && !routing.by_load && std::ranges::any_of(routing_words, is_it);
}

std::optional<Route> FoundRoutes::find(Routes& routes, NodeId source, NodeId destination,
                                       std::uint64_t flow) {
  const Key key{source, destination, flow};
  Shard& shard = shards_[Hash()(key) % shards_.size()];
  {
    const std::lock_guard lock(shard.mutex);
    if (const auto known = shard.known.find(key); known != shard.known.end()) return known->second;
  }
  std::optional<Route> route = routes.find(source, destination, flow);
  if (count_ >= most) return route;
  const std::lock_guard lock(shard.mutex);
  count_ += shard.known.try_emplace(key, route).second;
  return route;
}

}  // namespace orrery::core
