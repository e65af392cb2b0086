// Runs the collectives of a program as messages on the channels that NCCL would make of a graph
// (docs/models/channels.md).
#pragma once

#include <memory>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/channels/channel_costs.hpp"
#include "collective/channels/channel_flows.hpp"
#include "collective/group_collectives.hpp"
#include "events/event_loop.hpp"

namespace orrery::core {

class ChannelCollectives final : public GroupCollectives, private EventHandler {
 public:
  // Keeps references, as GroupCollectives does. Channels are found in the graph. Every rank is simulated.
  // Beginning a collective on a group
  // without channels throws InputError at `where`.
  ChannelCollectives(EventLoop& loop, Transport& transport, std::shared_ptr<const NetworkGraph> graph,
                     const CollectiveRanks& ranks, CollectiveListener& listener, const SourceLocation& where);

  std::uint64_t messages() const override { return messages_; }

 private:
  enum What : std::uint16_t { delivered, all_ended };
  struct Group {
    std::vector<NodeId> members;  // in the order of their positions
    ChannelFlows flows;
    ChannelCosts costs;
    std::vector<LibraryAlgorithm> algorithms;  // that all-reduces can take
    std::size_t under_way = 0;                 // number of flows
    // These belong to the collective that is under way: the time that the protocol adds to its flows, the
    // latency that follows, and the earliest end of the threads' work on the bytes.
    Time added, latency;
    Stamp threads_end = 0;
  };

  // Returns the owner of the channels that groups of a kind use, whichever of them begins first.
  std::uint64_t owner_of(const CollectiveRequest& request) const;
  Group& group_of(GroupId id, ClassId first, const CollectiveRequest& request);
  void begin(GroupId id, ClassId first, const CollectiveRequest& request) override;
  void start_ring(GroupId id, Bytes per_hop, int rounds);
  void start_all_reduce(GroupId id, Bytes size);
  void start_pairs(GroupId id, Bytes bytes, std::optional<NodeId> from, std::optional<NodeId> to);
  void note_cost(Group& group, const ChannelCost& cost, Time latency, Time hop);
  void send(GroupId id, const ChannelFlow& flow, Bytes bytes);
  void handle(const Event& event) override;

  EventLoop& loop_;
  Transport& transport_;
  std::shared_ptr<const NetworkGraph> graph_;
  SourceLocation where_;
  std::uint16_t handler_;
  std::vector<std::unique_ptr<Group>> groups_;
  std::uint64_t messages_ = 0;
};

}  // namespace orrery::core
