// The channels of all NPUs of a graph as one group, and what protocols cost on them.
#pragma once

#include "collective/channels/channel_costs.hpp"
#include "collective/channels/channel_flows.hpp"

namespace orrery::core::test {

// Carries nothing, and every way has a latency of 100 ns.
class NoTransport final : public Transport {
 public:
  void send(int, int, Bytes, const Event&) override {}
  Time lead(Channel, int, int, std::vector<NodeId>) override { return Time::from_ns(100); }
  std::vector<LinkUse> links(Time) const override { return {}; }
};

// Keeps a reference to the graph.
class WholeGroup {
 public:
  explicit WholeGroup(const NetworkGraph& graph)
      : flows_(graph, GroupChannels(graph, npus(graph), {}), transport_, 0), costs_(flows_.channels()) {}

  FlowPattern flows(LibraryAlgorithm algorithm) { return flows_.of(algorithm); }
  const ChannelCosts& costs() const { return costs_; }
  ChannelCost all_reduce(double bytes) { return costs_.all_reduce(bytes, flows_.of_all_reduce()); }

 private:
  static std::vector<NodeId> npus(const NetworkGraph& graph) {
    std::vector<NodeId> members(graph.npus());
    for (const NodeId npu : first_ids<NodeId>(members.size())) members[npu.index()] = npu;
    return members;
  }

  NoTransport transport_;
  ChannelFlows flows_;
  ChannelCosts costs_;
};

// What follows on the bytes, in nanoseconds.
inline double rest_ns(const ChannelCost& cost) {
  return (cost.latency_us + cost.added_us) * 1e3;
}

}  // namespace orrery::core::test
