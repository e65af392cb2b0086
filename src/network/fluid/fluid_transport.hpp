// Messages share links as fluids do: each flows over all links of its route at once, at the rate that is its
// fair share (docs/models/network-fluid.md). Messages of one channel between the same two NPUs go one behind
// the other, as on one connection.
//
//   duration, alone = what the closed form says (analytical/analytical_network.hpp)
//
// While messages share a link, rates are max-min fair (rates/max_min_rates.hpp). So no link carries more than
// it can, and a message is late by the time that it had to wait for others. Whatever a closed form adds to
// bytes / bandwidth, such as latency, is added to the end. This is the long-run behaviour of congestion
// control that is fair and keeps links full. It leaves out slow starts, queues and losses, and it favours no
// message for being first.
//
// NPUs in step send at the same time. Where one of them stands for all, the others' messages flow beside its
// own; the message is delivered when the last of them would be.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/units/rank_id.hpp"
#include "events/event_loop.hpp"
#include "network/analytical/analytical_network.hpp"
#include "network/fluid/flow_loop.hpp"
#include "network/fluid/link_classes.hpp"
#include "network/link/dimension_meter.hpp"
#include "network/link/link_map.hpp"
#include "network/link/link_speeds.hpp"
#include "network/ranks_in_step.hpp"
#include "network/transport.hpp"

namespace orrery::core {

class FluidTransport final : public Transport, private FlowObserver {
 public:
  // Keeps a reference to the loop. Requires a clock of picoseconds. `in_step` has groups of NPUs that do the
  // same at the same times (ranks_in_step.hpp). With `link_history` it keeps what links carry when,
  // and throws InputError when the machine has too many links for that.
  FluidTransport(const Topology& topology, const Dialect& dialect, EventLoop& loop,
                 const std::vector<std::vector<RankId>>& in_step = {},
                 const std::vector<SlowLinks>& slow_links = {}, bool link_history = false);

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    send_on({}, source, destination, bytes, delivered);
  }
  void send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) override;
  std::vector<LinkUse> links(Time now) const override;
  LinkHistory link_history() override;

 private:
  struct Route {  // route of a channel from an NPU to another, with the routes of those in step
    std::vector<std::pair<int, int>> ends;
    std::uint32_t shared;  // number among the routes of flows_
    double most;           // bytes per ns
    LinkLoad load;         // load of each pair
  };
  // Channels that are for one message each share a route, on which flows go side by side.
  struct Key {
    int source, destination;
    Channel channel;
    auto operator<=>(const Key&) const = default;
  };
  std::uint32_t route_of(const Key& key);
  LinkMap::Npus npus_at(int source, int destination) const;
  void flowed(std::uint32_t route, double from_ns, double to_ns, double bytes_per_ns) override;

  AnalyticalNetwork network_;
  FlowLoop flows_;
  LinkMap map_;
  LinkSpeeds speeds_;
  LinkClasses classes_;
  RanksInStep in_step_;
  std::map<Key, std::uint32_t> number_of_route_;
  std::vector<Route> routes_;  // as flows_ numbers them
  std::optional<DimensionMeter> meter_;
};

}  // namespace orrery::core
