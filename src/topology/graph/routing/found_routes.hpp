// Remembers routes that simulations of one graph have found, so that later ones need not look for them again.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "topology/graph/routing/routes.hpp"

namespace orrery::core {

// The routes are those of one routing and one seed on which no link is broken. Several threads may use it.
class FoundRoutes {
 public:
  // At most so many routes are remembered, which take some 60 MB.
  static constexpr std::size_t most = std::size_t{1} << 18;

  // Returns what routes.find() returns. `routes` has to be of this routing and seed.
  std::optional<Route> find(Routes& routes, NodeId source, NodeId destination, std::uint64_t flow);

  // Returns whether routes depend on nothing but their ends and the flow.
  static bool can_remember(const RoutingKind& routing);

 private:
  struct Key {
    NodeId source, destination;
    std::uint64_t flow;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  // Threads that look for different routes seldom wait for one another.
  struct Shard {
    std::mutex mutex;
    std::unordered_map<Key, std::optional<Route>, Hash> known;
  };

  std::array<Shard, 16> shards_;
  std::atomic<std::size_t> count_ = 0;
};

}  // namespace orrery::core
