// Runs every rank's trace: which node is issued when, and what it does. (spec: ASTRA-sim 2, sections 3 to 6)
//
// A rank has three slots - CPU, compute, communication - that hold a node each; receives need none. Free
// nodes are issued in the order of their ids where their slot is empty.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "collective/streams/stream_engine.hpp"
#include "simulate/trace/comm_groups.hpp"
#include "simulate/trace/finish_watch.hpp"
#include "simulate/trace/node_request.hpp"
#include "simulate/trace/remote_memory.hpp"
#include "simulate/trace/rooted_collectives.hpp"
#include "simulate/trace/trace_recording.hpp"

namespace orrery {

class TraceExecutor final : public EventHandler, public StreamListener {
 public:
  // Keeps references. Simulates the first `ranks` ranks. `watch`: throws OrderMatters when the order of what
  // happens to a rank within an instant matters.
  TraceExecutor(EventLoop& loop, RankTimers& timers, const TraceMachine& machine,
                const std::vector<RankTrace>& traces, std::uint32_t ranks, bool watch);

  // Rank 0 issues its free nodes, then rank 1, and so on.
  void start(StreamEngine& collectives, Messenger& messenger, MemoryServers& memory);

  void handle(const Event& event) override { finish(event.rank, event.object); }
  void collective_finished(std::uint32_t rank, std::uint32_t token) override { finish(rank, token); }

  double progress() const;
  // Every simulated rank is at its end. Throws OrderMatters, as above.
  bool finished() const;
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(ranks_.size()); }
  bool has_ended(std::uint32_t rank) const { return ranks_[rank].ended; }
  struct WaitingCollective {
    std::uint32_t rank, node;
    const CommGroup* group;  // null: all ranks
    std::uint64_t number;    // of the rank's collectives in this group, from 1
    StreamRequest request;
  };
  // For a stalled run: collectives under way, and what each rank that has not ended waits for, a line each.
  std::vector<WaitingCollective> waiting_collectives() const;
  std::vector<std::string> waiting() const;
  // Collectives that a rank has started in a group.
  std::uint64_t collectives_of(std::uint32_t rank, std::uint64_t tag_base) const;
  // "node 3 (`name`)".
  std::string name_of_node(std::uint32_t rank, std::uint32_t node) const;

  std::vector<RankRecording> take_ranks();
  std::vector<std::uint32_t> take_finish_order() { return std::move(finish_order_); }

 private:
  static constexpr Time not_yet = Time::from_ps(-1);
  enum Slot : std::uint8_t { cpu, compute, communication, none, slots };
  using Heap = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;
  struct Rank {
    std::array<Heap, slots> free;           // nodes that may be issued, by slot
    std::vector<std::uint32_t> just_freed;  // by nodes skipped in the pass at work
    std::array<bool, slots> occupied{};
    std::vector<std::uint32_t> missing;  // parents that have not finished, by node
    std::uint32_t running = 0;
    bool passing = false;  // through its free nodes
    bool ended = false;
    RankRecording recording;
    std::map<std::uint64_t, std::uint64_t> collectives;  // started, by tag base of the group
  };

  static Slot slot_of(const chakra::NodeList& nodes, std::uint32_t node);
  const chakra::NodeList& nodes_of(std::uint32_t rank) const { return traces_[rank].graph->nodes; }
  Slot slot_of(std::uint32_t rank, std::uint32_t node) const { return slot_of(nodes_of(rank), node); }
  void try_issue(std::uint32_t rank);
  // False: the node was skipped.
  bool issue(std::uint32_t rank, std::uint32_t node);
  void release(std::uint32_t rank, std::uint32_t node);
  void finish(std::uint32_t rank, std::uint32_t node);
  void end_if_done(std::uint32_t rank);
  void watch_finish(std::uint32_t rank, std::uint32_t node);
  // Until an event of its own.
  void compute_for(std::uint32_t rank, std::uint32_t node, Time duration);
  bool replay(std::uint32_t rank, std::uint32_t node);
  bool issue_compute(std::uint32_t rank, std::uint32_t node);
  void issue_collective(std::uint32_t rank, std::uint32_t node);
  Event finished_event(std::uint32_t rank, std::uint32_t node) const {
    return Event{handler_, 0, rank, node, 0};
  }

  EventLoop& loop_;
  RankTimers& timers_;
  const TraceMachine& machine_;
  const std::vector<RankTrace>& traces_;
  NodeRequests requests_;
  StreamEngine* collectives_ = nullptr;
  Messenger* messenger_ = nullptr;
  MemoryServers* memory_ = nullptr;
  std::uint16_t handler_;
  std::vector<Rank> ranks_;
  std::vector<CommGroups> groups_;  // by rank
  RootedCollectives rooted_;
  std::optional<FinishWatch> watch_;
  std::vector<std::uint32_t> finish_order_;
  std::uint64_t finished_nodes_ = 0, all_nodes_ = 0;
};

}  // namespace orrery
