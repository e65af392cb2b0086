// Runs every rank's trace: it decides which node is issued when (docs/models/execution-traces.md, Slots).
// NodeIssuer then has the node do what it asks for.
//
// A rank has three slots - CPU, compute, communication - that hold a node each; receives need none. Free
// nodes are issued in the order of their ids where their slot is empty.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "simulate/trace/finish_watch.hpp"
#include "simulate/trace/free_nodes.hpp"
#include "simulate/trace/node_issuer.hpp"
#include "simulate/trace/node_state.hpp"
#include "simulate/trace/trace_recording.hpp"

namespace orrery {

class TraceExecutor final : public EventHandler, public StreamListener {
 public:
  // Keeps references. Simulates the first `ranks` ranks. `watch`: throws OrderMatters when the order of what
  // happens to a rank within an instant matters.
  TraceExecutor(EventLoop& loop, RankTimers& timers, const TraceMachine& machine,
                const std::vector<RankTrace>& traces, std::uint32_t ranks, bool watch);

  // Rank 0 issues its free nodes, then rank 1, and so on.
  void start(StreamIssuer& collectives, Messenger& messenger, MemoryServers& memory);

  void handle(const Event& event) override { finish(event.rank, event.object); }
  void collective_finished(std::uint32_t rank, std::uint32_t token) override { finish(rank, token); }
  // These two fetch into the cache what will be needed when something happens to a rank: prefetch() the rank,
  // and prefetch_nodes(), once that is there, what it points to.
  void prefetch(std::uint32_t rank) const;
  void prefetch_nodes(std::uint32_t rank) const;

  double progress() const;
  // Returns whether every simulated rank is at its end. Throws OrderMatters, as above.
  bool finished() const;
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(ranks_.size()); }
  bool has_ended(std::uint32_t rank) const { return ranks_[rank].ended; }
  // For a stalled run: return the collectives under way, and what each rank that has not ended waits for, a
  // line each.
  std::vector<WaitingCollective> waiting_collectives() const;
  std::vector<std::string> waiting() const;
  // Returns the number of collectives that a rank has started in a group.
  std::uint64_t collectives_of(std::uint32_t rank, std::uint64_t tag_base) const {
    return issuer_.collectives_of(rank, tag_base);
  }
  // Returns "node 3 (`name`)".
  std::string name_of_node(std::uint32_t rank, std::uint32_t node) const;

  std::vector<RankRecording> take_ranks();
  std::vector<std::uint32_t> take_finish_order() { return std::move(finish_order_); }

 private:
  using Slot = node_state::Slot;
  static constexpr std::uint32_t no_node = FreeNodes::none;
  // Two cache lines: all that is needed of a rank every time something happens to it, see node_state.hpp.
  struct alignas(64) Rank {
    std::array<FreeNodes, node_state::slots> free;  // nodes that may be issued, by slot
    Interval* nodes = nullptr;                      // nodes of its recording
    const chakra::TraceEdges* edges = nullptr;      // edges of its graph, shared by many
    Time gpu_time;
    std::array<std::uint32_t, node_state::none> at_work{no_node, no_node, no_node};  // by slot
    std::uint32_t running = 0;
    bool passing = false;  // through its free nodes
    bool ended = false;

    Slot slot_of_running(std::uint32_t node) const;
  };

  static Slot slot_of(const chakra::NodeList& nodes, std::uint32_t node);
  const chakra::NodeList& nodes_of(std::uint32_t rank) const { return traces_[rank].graph->nodes; }
  std::vector<Interval> waiting_nodes(std::uint32_t rank);
  void add_rank(std::uint32_t rank);
  void try_issue(std::uint32_t rank);
  // Returns false if the node was skipped.
  bool issue(std::uint32_t rank, std::uint32_t node, Slot slot);
  void release(std::uint32_t rank, std::uint32_t node, Slot slot);
  void finish(std::uint32_t rank, std::uint32_t node);
  void end_if_done(std::uint32_t rank);
  void watch_finish(std::uint32_t rank, Slot slot);

  EventLoop& loop_;
  RankTimers& timers_;
  const std::vector<RankTrace>& traces_;
  NodeIssuer issuer_;
  std::uint16_t handler_;
  std::vector<Rank> ranks_;
  std::vector<RankRecording> recordings_;  // by rank
  std::vector<std::uint32_t> just_freed_;  // by nodes skipped in the pass at work, one rank's
  std::optional<FinishWatch> watch_;
  std::vector<std::uint32_t> finish_order_;
  std::uint64_t finished_nodes_ = 0, all_nodes_ = 0;
};

}  // namespace orrery
