// Walks the graph of every simulated rank against the clock. Knows readiness, not deep learning.
#pragma once

#include <functional>
#include <vector>

#include "collective/collective_engine.hpp"
#include "simulate/machine.hpp"
#include "simulate/recording.hpp"

namespace orrery {

class Executor final : public EventHandler, public CollectiveListener {
 public:
  using Id = ExecutionGraph::Id;

  // Keeps references.
  Executor(EventLoop& loop, RankTimers& timers, const ExecutionGraph& graph, const Machine& machine,
           const RankClasses& classes);

  // "Rank" is the number of a simulated one from here on: of a class, where ranks are folded. Starts rank 0's
  // program, then rank 1's, and so on, each until it waits.
  void start(CollectiveEngine& collectives);

  void handle(const Event& event) override { complete(event.rank, event.object); }
  void collective_completed(std::uint32_t rank, std::uint32_t token) override;

  // Operations complete, of all ranks, between 0 and 1.
  double progress() const;
  bool finished() const { return finished_ranks_ == ranks_; }
  // For a stalled run: how many ranks have not ended; what rank 0 cannot start as it waits for what follows
  // it, a line each; what rank 0 has started and not completed.
  std::string unfinished() const;
  std::vector<std::string> circles() const;
  std::vector<Id> under_way() const;
  Time started_at(Id id) const { return intervals_[id].start; }  // on rank 0
  std::string describe(Id id) const;

  std::vector<Interval> take_intervals() { return std::move(intervals_); }
  std::vector<Id> take_completed() { return std::move(completed_ids_); }
  std::vector<Time> take_finish() { return std::move(finish_); }

 private:
  static constexpr Time not_yet = Time::from_ps(-1);

  void begin(std::uint32_t rank, Id id);
  void complete(std::uint32_t rank, Id id);
  void record_completion(std::uint32_t rank, Id id);
  bool passes(std::uint32_t rank, Id id, Time duration);
  bool runs_at_once(std::uint32_t rank, Id id);

  EventLoop& loop_;
  RankTimers& timers_;
  const ExecutionGraph& graph_;
  const Machine& machine_;
  const RankClasses& classes_;
  const ExecutionGraph::Successors successors_;
  CollectiveEngine* collectives_ = nullptr;
  std::uint16_t handler_;
  std::uint32_t ranks_;
  std::vector<std::uint32_t> missing_;  // predecessors not complete, by rank and operation
  std::vector<Id> ready_;               // a stack, of the rank at work
  std::vector<Interval> intervals_;     // rank 0's
  std::vector<Id> completed_ids_;       // rank 0's
  std::vector<Time> finish_;
  std::uint32_t finished_ranks_ = 0;
  std::uint64_t completed_ = 0;
};

}  // namespace orrery
