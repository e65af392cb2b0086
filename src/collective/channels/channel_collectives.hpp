// Collectives of a program as messages on the channels that NCCL would make of a graph
// (docs/models/channels.md).
//
// A collective begins on a group when its last member has issued it, and ends at once on all members. Those
// of a communicator's group follow one another, as kernels of one stream do. On a ring, the bytes that all
// steps take over a hop are one flow, as in a ring that is full all hops are busy all the time; when the
// flows have ended, the latencies of the remaining steps follow.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "collective/collective_service.hpp"
#include "events/event_loop.hpp"
#include "network/transport.hpp"
#include "topology/channels/group_channels.hpp"
#include "topology/rank_parts.hpp"

namespace orrery {

class ChannelCollectives final : public CollectiveService, private EventHandler {
 public:
  // Keeps references. Every rank is simulated.
  ChannelCollectives(EventLoop& loop, Transport& transport, const NetworkGraph& graph,
                     const std::vector<Communicator>& communicators, const RankParts& parts,
                     std::size_t topology_dimensions, CollectiveListener& listener);

  // Throws InputError for groups without channels.
  bool issue(std::uint32_t rank, std::uint32_t token, const CollectiveRequest& request, Stamp at) override;

  const ChunkRecords& records(std::uint32_t part) const override { return records_[part]; }
  const std::vector<Bytes>& payload(std::uint32_t) const override { return payload_; }
  std::uint64_t messages() const override { return messages_; }
  PhaseCounts phases() const override { return {}; }
  std::vector<Waiting> waiting() const override;

 private:
  enum What : std::uint16_t { delivered, ended };
  struct Call {
    std::uint32_t token = 0;
    CollectiveRequest request;
    std::vector<std::uint32_t> arrived;
  };
  struct Group {
    std::uint32_t number = 0;
    std::vector<NodeId> members;       // in the order of their positions
    std::vector<std::uint32_t> ranks;  // the same, by number
    std::unique_ptr<GroupChannels> channels;
    std::vector<std::vector<ChannelHop>> rings;  // by search channel
    Time latency_of_ring;                        // of all hops of the slowest ring
    std::vector<ChannelHop> pairs;
    std::uint32_t first_channel = 0;
    std::map<std::uint32_t, Call> calls;  // by token; not all members have issued them
    std::deque<Call> ready;               // the first one runs
    std::size_t flows = 0;                // under way
    Time rest;                            // that follows on them
  };
  using GroupKey =
      std::tuple<std::uint32_t, unsigned long, std::uint32_t>;  // communicator, dimensions, first

  Group& group_of(std::uint32_t rank, const CollectiveRequest& request);
  void find_rings(Group& group);
  void find_pairs(Group& group);
  void start(std::uint32_t group);
  void start_ring(std::uint32_t group, Bytes per_hop, std::uint32_t steps);
  void start_pairs(std::uint32_t group, Bytes bytes, std::uint32_t root, bool from_root);
  void send(std::uint32_t group, std::uint32_t channel, const ChannelHop& hop, Bytes bytes);
  void handle(const Event& event) override;

  EventLoop& loop_;
  Transport& transport_;
  const NetworkGraph& graph_;
  const std::vector<Communicator>& communicators_;
  const RankParts& parts_;
  CollectiveListener& listener_;
  std::uint16_t handler_;
  std::map<GroupKey, std::uint32_t> numbers_;
  std::vector<std::unique_ptr<Group>> groups_;
  std::uint32_t next_channel_;
  std::uint64_t messages_ = 0;
  std::vector<ChunkRecords> records_;  // by part; empty
  std::vector<Bytes> payload_;         // no bytes are known by dimension
};

}  // namespace orrery
