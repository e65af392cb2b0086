// Runs the graphs of ranks that issue in slots. It decides which operation is issued when
// (docs/models/execution-traces.md, Slots), and starts what the operation asks for.
//
// A rank has three slots - host, compute, communication - each of which holds one operation; some operations
// need no slot. Free operations are issued in the order of their ids where their slot is empty.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/collective_backend.hpp"
#include "collective/messages/messenger.hpp"
#include "collective/streams/plan/group_counters.hpp"
#include "program/program.hpp"
#include "simulate/assembly.hpp"
#include "simulate/machine.hpp"
#include "simulate/slots/finish_order_checker.hpp"
#include "simulate/slots/free_operations.hpp"
#include "simulate/slots/memory_servers.hpp"
#include "simulate/slots/operation_record.hpp"
#include "simulate/waiting_operations.hpp"

namespace orrery::core {

// A collective that a rank has started and not ended.
struct WaitingCollective {
  RankId rank;
  std::uint32_t operation;
  const CollectiveRequest* request;
  std::uint64_t number;  // index among the rank's collectives in this group, from 1
};

class SlotIssuer final : public Issuer, public EventHandler, public CollectiveListener {
 public:
  using Id = ExecutionGraph::Id;

  // Keeps references. Simulates the first `ranks` ranks. With `watch`, throws AmbiguousEventOrder when the
  // order of what happens to a rank within an instant matters.
  SlotIssuer(EventLoop& loop, RankTimers& timers, const Program& program, const Machine& machine,
             std::uint32_t ranks, bool watch);

  // Rank 0 issues its free operations, then rank 1, and so on. Throws InputError, here and while the loop
  // runs, when an operation cannot be carried out.
  void start(CollectiveBackend& collectives, Messenger& messenger, MemoryServers& memory);

  void handle(const Event& event) override { finish(RankId(event.rank), event.object); }
  void collective_completed(ClassId of_class, std::uint32_t token) override {
    finish(simulated_of(of_class), token);
  }
  // The following two functions fetch into the cache what will be needed when something happens to a rank:
  // prefetch() fetches the rank, and prefetch_operations(), once that is there, what it points to.
  void prefetch(RankId rank) const;
  void prefetch_operations(RankId rank) const;

  double progress() const override;
  // Returns whether every simulated rank is at its end. Throws AmbiguousEventOrder, as above.
  bool finished() const override;
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(ranks_.size()); }
  bool has_ended(RankId rank) const { return ranks_[rank.index()].ended; }
  // Return the collectives and all operations under way, for the report of a stalled run.
  std::vector<WaitingCollective> waiting_collectives() const;
  std::vector<WaitingOperation> waiting_operations() const;
  // Returns the number of collectives that a rank has started in a group.
  std::uint64_t collectives_of(RankId rank, std::uint64_t tag_base) const {
    return collectives_of_[rank.index()].of(tag_base);
  }
  const ExecutionGraph& graph_of(RankId rank) const { return *ranks_[rank.index()].part->graph; }

  // Returns the intervals of all operations, by rank, and forgets what it knows of the operations.
  [[nodiscard]] std::vector<std::vector<Interval>> take_intervals();
  [[nodiscard]] std::vector<Time> take_finish() { return std::move(finish_); }
  [[nodiscard]] std::vector<RankId> take_finish_order() { return std::move(finish_order_); }

 private:
  static constexpr std::uint32_t no_operation = FreeOperations::none;
  struct Part {
    const ExecutionGraph* graph;
    std::shared_ptr<const GraphEdges> successors;  // shared by parts with the same edges
  };
  // Two cache lines that hold everything that is needed of a rank whenever something happens to it (see
  // operation_record.hpp).
  struct alignas(64) Rank {
    std::array<FreeOperations, operation_slots + 1> free;  // operations that may be issued, by slot
    OperationRecord* operations = nullptr;                 // its operations
    const GraphEdges* successors = nullptr;
    const Part* part = nullptr;
    std::array<std::uint32_t, operation_slots> at_work{no_operation, no_operation, no_operation};  // by slot
    std::uint32_t running = 0;
    bool passing = false;  // it is going through its free operations
    bool ended = false;

    Slot slot_of_running(std::uint32_t operation) const;
  };

  void add_part(const ExecutionGraph& graph,
                std::map<const GraphEdges*, std::shared_ptr<const GraphEdges>>& known);
  std::vector<OperationRecord> not_begun(const ExecutionGraph& graph, double slowdown) const;
  void add_rank(RankId rank, const Part& part);
  void try_issue(RankId rank);
  enum class Started : std::uint8_t {
    running,  // finish() will be called
    skipped   // there is nothing to do
  };
  [[nodiscard]] Started issue(RankId rank, std::uint32_t operation);
  [[nodiscard]] Started issue_rare(RankId rank, std::uint32_t operation, const Event& finished);
  void issue_collective(RankId rank, std::uint32_t number, const Event& finished);
  void release(RankId rank, std::uint32_t operation, Slot slot);
  void finish(RankId rank, std::uint32_t operation);
  void end_if_done(RankId rank);
  void watch_finish(RankId rank, Slot slot);
  [[noreturn]] void reject(RankId rank, std::uint32_t operation, const std::string& what) const;

  EventLoop& loop_;
  RankTimers& timers_;
  const Program& program_;
  const Dialect& dialect_;
  std::uint16_t handler_;
  std::vector<Part> parts_;
  std::vector<Rank> ranks_;
  std::vector<std::vector<OperationRecord>> operations_;  // by rank
  std::vector<Time> finish_;                              // by rank
  std::vector<GroupCounters> collectives_of_;             // by rank: numbers of collectives started
  // Operations that skipped ones have freed in the pass that is going on, of one rank.
  std::vector<std::uint32_t> just_freed_;
  std::optional<FinishOrderChecker> watch_;
  std::vector<RankId> finish_order_;
  std::uint64_t finished_operations_ = 0, all_operations_ = 0;
  CollectiveBackend* collectives_ = nullptr;
  Messenger* messenger_ = nullptr;
  MemoryServers* memory_ = nullptr;
};

}  // namespace orrery::core
