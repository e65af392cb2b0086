// Messages take their own time and never meet, as in ASTRA-sim 2's network without contention
// (docs/models/network-analytical.md, Without contention in ASTRA-sim 2).
//
//   link     = hops * latency + bytes / bandwidth + 2 * nic + router
//   duration = max(link, memory)
//
// Only the lowest dimension in which source and destination differ is charged, and the bytes are charged
// once, whatever the number of hops. The sum is rounded once, as the dialect rounds. In dialects whose
// messages use all links toward their peer, a message takes the time that it takes in AnalyticalNetwork.
// Bytes over the links are counted all the same, along the route that a network of links would take.
#pragma once

#include <optional>
#include <vector>

#include "base/dialect.hpp"
#include "base/units/rank_id.hpp"
#include "events/event_loop.hpp"
#include "network/analytical/analytical_network.hpp"
#include "network/link/link_loads.hpp"
#include "network/link/link_map.hpp"
#include "network/link/link_speeds.hpp"
#include "network/ranks_in_step.hpp"
#include "network/transport.hpp"
#include "topology/logical_dimension.hpp"
#include "topology/slow_links.hpp"

namespace orrery::core {

class ContentionFreeTransport final : public Transport {
 public:
  // A message stands for those of all NPUs in step with its source (network/ranks_in_step.hpp).
  ContentionFreeTransport(const Topology& topology, const Dialect& dialect, EventLoop& loop,
                          const std::vector<SlowLinks>& slow_links = {},
                          const std::vector<std::vector<RankId>>& in_step = {});

  // Returns the time of a message from send to delivery.
  Time duration(int source, int destination, Bytes bytes) const;
  void send(int source, int destination, Bytes bytes, const Event& delivered) override;
  // Counts `messages` such messages that have been sent without the transport's help.
  void count(int source, int destination, Bytes bytes, std::uint64_t messages) override;
  // A message counts when it is sent.
  std::vector<LinkUse> links(Time now) const override;

 private:
  std::size_t carrying_dimension(int source, int destination) const;

  Topology topology_;
  Dialect dialect_;
  EventLoop& loop_;
  std::vector<LogicalDimension> dimensions_;
  std::optional<AnalyticalNetwork> all_links_;  // set where a message uses all links toward its peer
  std::vector<double> bytes_per_ns_;            // of one link, by dimension
  LinkMap map_;
  LinkSpeeds speeds_;
  LinkLoads loads_;
  RanksInStep in_step_;
};

}  // namespace orrery::core
