// The members of a group send each other flows on NCCL's channels: one for every hop of a ring, and one for
// either direction of a tree's edges, since all of them are busy all the time (docs/models/channels.md,
// Collectives on channels).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "collective/library/transfer_demand.hpp"
#include "network/transport.hpp"
#include "topology/channels/group_channels.hpp"

namespace orrery::core {

struct ChannelFlow {
  NodeId from, to;
  double share = 1;      // share of the bytes that the algorithm sends
  Channel channel = {};  // channel of the transport
  Time latency;
};

struct FlowPattern {
  std::vector<ChannelFlow> flows;
  // Rings: sum over all hops of the slowest channel; trees: that of the longest route up and down.
  Time latency;
};

class ChannelFlows {
 public:
  // Keeps references, and a copy of the group's channels. Groups with ranks in common need owners of the
  // transport's channels that differ in more than the lowest three bits, which tell algorithms apart: so the
  // routes of an algorithm's flows do not depend on what else runs.
  ChannelFlows(const NetworkGraph& graph, GroupChannels channels, Transport& transport, std::uint64_t owner)
      : graph_(graph), channels_(std::move(channels)), transport_(transport), owner_(owner) {}

  const GroupChannels& channels() const { return channels_; }
  // Returns the flows of an algorithm; none where the group has no such channels.
  const FlowPattern& of(LibraryAlgorithm algorithm);
  // Returns the algorithms by which the group can carry out all-reduces.
  std::vector<LibraryAlgorithm> of_all_reduce();

 private:
  struct Edge {  // edge of a tree that leads up
    ChannelHop hop;
    double share = 1;
    std::optional<std::size_t> above;  // the edge on which the sum goes on, or one of those
  };
  using Edges = std::vector<Edge>;

  FlowPattern ring(Channel channel);
  FlowPattern pairs(Channel channel);
  FlowPattern trees(const Edges& edges, Channel channel);
  Edges channel_trees() const;
  Edges switches_and_heads() const;
  Edges switches_between() const;
  // The following functions add edges. They return those that lead to a machine's heads, or that are the
  // first of its channels.
  bool add_switches(std::size_t host, const std::vector<std::size_t>& above, Edges& edges) const;
  void add_chain(std::size_t host, std::size_t channel, std::size_t above, Edges& edges) const;
  std::size_t heads() const;
  ChannelFlow flow(const ChannelHop& hop, double share, Channel channel);

  const NetworkGraph& graph_;
  GroupChannels channels_;
  Transport& transport_;
  const std::uint64_t owner_;
  std::map<LibraryAlgorithm, FlowPattern> patterns_;
};

}  // namespace orrery::core
