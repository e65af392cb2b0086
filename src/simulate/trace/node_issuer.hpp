// Has nodes of traces do what they ask for (docs/models/execution-traces.md, Node types).
#pragma once

#include <cstdint>
#include <vector>

#include "collective/streams/group_counters.hpp"
#include "collective/streams/messenger.hpp"
#include "collective/streams/stream_issuer.hpp"
#include "events/rank_timers.hpp"
#include "simulate/trace/comm_groups.hpp"
#include "simulate/trace/plain_nodes.hpp"
#include "simulate/trace/remote_memory.hpp"
#include "simulate/trace/rooted_collectives.hpp"

namespace orrery {

// A collective that a rank has started and not ended.
struct WaitingCollective {
  std::uint32_t rank, node;
  const CommGroup* group;  // null: all ranks
  std::uint64_t number;    // index among the rank's collectives in this group, from 1
  StreamRequest request;
};

// Its functions throw InputError when the node cannot be run.
class NodeIssuer {
 public:
  // Keeps references. Issues nodes of the first `ranks` ranks.
  NodeIssuer(RankTimers& timers, const TraceMachine& machine, const std::vector<RankTrace>& traces,
             std::uint32_t ranks);
  // Must be called before anything is issued. Keeps references.
  void connect(StreamIssuer& collectives, Messenger& messenger, MemoryServers& memory);

  // Before the run: returns what can be known of the node by then.
  PlainNodes::Asks look_at(std::uint32_t rank, std::uint32_t node) { return plain_.look_at(rank, node); }
  void issue_collective(std::uint32_t rank, std::uint32_t node, PlainNodes::Asks asks) {
    issue_streams(rank, node, plain_.collective(asks));
  }
  // Issues a node of which nothing is known, and dispatches `finished` when it has ended. Adds to `gpu_time`
  // what it computes. Returns false if the node was skipped.
  bool issue(std::uint32_t rank, std::uint32_t node, const Event& finished, Time& gpu_time);

  // Returns the number of collectives that a rank has started in a group.
  std::uint64_t collectives_of(std::uint32_t rank, std::uint64_t tag_base) const {
    return collectives_of_[rank].of(tag_base);
  }
  // For a stalled run: return what is known of a collective under way, and what those of a rank wait for.
  WaitingCollective waiting_collective(std::uint32_t rank, std::uint32_t node) const;
  std::vector<std::string> waiting(std::uint32_t rank) const { return collectives_->waiting(rank); }

 private:
  bool issue_compute(std::uint32_t rank, std::uint32_t node, const Event& finished, Time& gpu_time);
  void issue_collective(std::uint32_t rank, std::uint32_t node, const Event& finished);
  void issue_streams(std::uint32_t rank, std::uint32_t node, const StreamRequest& request);

  RankTimers& timers_;
  const TraceMachine& machine_;
  NodeRequests requests_;
  PlainNodes plain_;
  RootedCollectives rooted_;
  std::vector<CommGroups> groups_;             // by rank
  std::vector<GroupCounters> collectives_of_;  // by rank: numbers of collectives started
  StreamIssuer* collectives_ = nullptr;
  Messenger* messenger_ = nullptr;
  MemoryServers* memory_ = nullptr;
};

}  // namespace orrery
