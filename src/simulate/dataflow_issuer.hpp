// Walks the graphs of the simulated ranks against the clock. It knows readiness, not deep learning. A
// simulated rank is known by the class that it stands for.
//
// An issuer that looks ahead needs no event for what a rank computes, unless the rank is recorded: as soon
// as it is known when an operation starts, it is known when it ends, and so on until the rank waits for a
// collective. Collectives on the way are issued ahead of the clock, for when the rank gets there.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/containers/numbered.hpp"
#include "base/units/rank_id.hpp"
#include "collective/collective_backend.hpp"
#include "events/rank_timers.hpp"
#include "program/program.hpp"
#include "simulate/assembly.hpp"
#include "simulate/contention/endpoint_contention.hpp"
#include "simulate/dataflow_stall.hpp"
#include "simulate/machine.hpp"
#include "simulate/messages/part_messages.hpp"
#include "simulate/recording.hpp"
#include "topology/rank_parts.hpp"

namespace orrery::core {

class DataflowIssuer final : public Issuer, public EventHandler, public CollectiveListener {
 public:
  using Id = ExecutionGraph::Id;

  // Keeps references. Simulated ranks of part i run graph i. `looks_ahead` requires that the order of events
  // within an instant decides nothing, that collectives can be issued ahead of the clock, that a graph issues
  // them in an order that no time changes, and that graphs send no messages and do not contend with
  // collectives.
  DataflowIssuer(EventLoop& loop, RankTimers& timers, const Program& program, const Machine& machine,
                 const RankClasses& classes, const RankParts& parts, bool looks_ahead = false,
                 bool records_classes = false);

  // Starts the program of class 0, then that of class 1, and so on, each until it waits. `messages` and the
  // messenger may be null where no graph sends any.
  void start(CollectiveBackend& collectives, const PartMessages* messages = nullptr,
             Messenger* messenger = nullptr);

  void handle(const Event& event) override;
  void collective_completed(ClassId of_class, std::uint32_t token) override;
  void collective_completed_together(std::span<const ClassId> classes, std::uint32_t token) override;

  // Returns the share of the operations of all ranks that are complete or whose end is known, between 0 and
  // 1.
  double progress() const override;
  bool finished() const override { return finished_ == simulated_; }
  bool leaves_events() const override { return contention_.has_value(); }
  // Says how many ranks have not ended.
  std::string unfinished() const;
  // Returns what the recorded rank of a part has done until now; times of operations that have not begun or
  // ended are `not_yet`.
  std::span<const Interval> intervals_of(std::uint32_t part) const { return programs_[part].intervals; }

  // Returns what all simulated ranks did if they are recorded, otherwise what the recorded one of each part
  // did.
  [[nodiscard]] std::vector<std::vector<Interval>> take_operations();
  [[nodiscard]] std::vector<Id> take_completed(std::uint32_t part) {
    return std::move(programs_[part].completed);
  }
  [[nodiscard]] std::vector<Time> take_finish() { return std::move(finish_); }
  // Returns by how much the computations of each class took longer because collectives were under way.
  std::vector<Time> longer() const;

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  enum What : std::uint16_t { completes, completes_together, contended };
  struct Foreseen {
    Id id;
    Stamp at;
  };

  void begin(ClassId of_class, Id id);
  void complete(ClassId of_class, Id id);
  void record_start(ClassId of_class, Id id);
  void record_completion(ClassId of_class, Id id);
  [[nodiscard]] bool passes(ClassId of_class, Id id, Time duration);
  [[nodiscard]] bool completes_immediately(ClassId of_class, Id id);
  [[nodiscard]] bool computes(ClassId of_class, Id id);
  [[nodiscard]] bool joins(ClassId of_class, Id id);
  void delay_completion(ClassId of_class, Id id);
  Event completion(ClassId of_class, Id id) const { return {handler_, completes, of_class.value(), id, 0}; }
  Time compute_time(ClassId of_class, Id id);
  Time slowed_on(ClassId of_class, Time duration) const;
  [[nodiscard]] bool is_ready_after_one_more(ClassId of_class, Id id);
  bool is_foreseen(ClassId of_class) const { return looks_ahead_ && !is_recorded(of_class); }
  void foresee(ClassId of_class, std::size_t bottom);
  [[nodiscard]] bool ends_at(ClassId of_class, Id id, Stamp& at);
  void foresee_followers(ClassId of_class, Id id, Stamp at);

  struct PartProgram {
    const ExecutionGraph* graph;
    GraphEdges successors;
    // Each operation's place among those with several predecessors; none: it has only one, and is ready after
    // that one.
    std::vector<std::uint32_t> counter;
    std::vector<std::uint32_t> predecessors;  // number of predecessors, by `counter`
    std::vector<Interval> intervals;          // intervals on the recorded rank
    std::vector<Id> completed;                // completed operations of the recorded rank
  };
  PartProgram& program_of(ClassId of_class) { return programs_[parts_.of(of_class)]; }
  bool is_recorded(ClassId of_class) const { return parts_.is_recorded(of_class); }

  EventLoop& loop_;
  RankTimers& timers_;
  const Machine& machine_;
  const RankClasses& classes_;
  const RankParts& parts_;
  CollectiveBackend* collectives_ = nullptr;
  const PartMessages* messages_ = nullptr;
  Messenger* messenger_ = nullptr;
  std::uint16_t handler_;
  std::uint32_t simulated_;
  bool looks_ahead_;
  std::vector<PartProgram> programs_;         // by part
  std::vector<std::uint64_t> first_missing_;  // by class
  std::vector<std::uint32_t> missing_;        // predecessors not complete, by class and Program::counter
  // Time at which the last other predecessor completes, in the same places; empty unless the issuer looks
  // ahead.
  std::vector<Stamp> last_end_;
  std::vector<Id> ready_;                        // a stack of operations of the rank at work that can start
  std::vector<Foreseen> foreseen_;               // the same for a rank whose future is worked out
  Numbered<std::span<const ClassId>> together_;  // classes of pending events, by the event's number
  std::vector<Time> finish_;
  std::optional<EndpointContention> contention_;   // where computation and collectives slow each other down
  std::vector<std::vector<Interval>> of_classes_;  // by class and operation; empty unless asked for
  std::uint32_t finished_ = 0;
  std::uint64_t completed_ = 0, operations_ = 0;
};

}  // namespace orrery::core
