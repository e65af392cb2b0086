// Says what messages take by themselves: without their bytes, and for these.
#pragma once

#include <memory>
#include <optional>

#include "base/units/seconds.hpp"
#include "network/analytical/analytical_network.hpp"
#include "simulate/machine.hpp"

namespace orrery::core {

class GraphRoutes;

inline constexpr int max_npus_with_routes = 1 << 16;  // NPUs of a graph in which reports look for ways

class MessageCosts {
 public:
  // Keeps a reference.
  explicit MessageCosts(const Machine& machine);
  ~MessageCosts();

  // The time that a message takes without its bytes, and the time that its bytes take on the slowest link of
  // its route.
  struct Cost {
    Seconds latency, bytes;
  };
  // Returns none where no route is known.
  std::optional<Cost> of(int source, int destination, Bytes bytes);

  const AnalyticalNetwork& network() const { return network_; }

 private:
  const Machine& machine_;
  const AnalyticalNetwork network_;
  std::unique_ptr<GraphRoutes> routes_;  // ways of a graph, once somebody has asked for one
};

}  // namespace orrery::core
