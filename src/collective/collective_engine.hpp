// Runs collectives on a machine, from when a workload issues them until they are complete.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/containers/numbered.hpp"
#include "base/units/rank_id.hpp"
#include "collective/flow/chunk_recorder.hpp"
#include "collective/flow/chunk_scheduler.hpp"
#include "collective/flow/tie_order_checker.hpp"
#include "collective/phase/phase_engine.hpp"
#include "collective/phase/phase_traffic.hpp"
#include "collective/plan/part_planners.hpp"
#include "collective/recorded_collectives.hpp"
#include "collective/timelines/link_reservations.hpp"
#include "events/rank_timers.hpp"
#include "network/transport.hpp"
#include "program/known_times.hpp"

namespace orrery::core {

// The machine that collectives run on.
struct CollectiveMachine {
  const SystemConfig& system;
  const Dialect& dialect;
  const Topology& topology;
  const std::vector<Communicator>& communicators;  // of the program
  const ContentionFreeNetwork& network;
  const NetworkSetup& setup;
  // Carries the messages, where each of them is simulated. Otherwise null.
  Transport* transport = nullptr;
  // Says how long phases take, where messages of one phase may meet and those of two phases never do.
  // Otherwise null.
  const IsolatedPhaseSimulator* trials = nullptr;
};

// Says which ranks of the machine are simulated, and how.
struct FoldedRanks {
  const RankClasses& classes;
  const RankParts& parts;
  bool by_messages;   // of all ranks, or of one for all; otherwise phases run by their timelines
  bool in_step;       // all ranks issue each collective in the same instant
  bool watches_ties;  // timelines with a barrier over the machine: throw AmbiguousEventOrder where they are
                      // not exact
  // Collectives that some ranks do not issue here, where all messages of all others are simulated; null: all
  // ranks issue everything.
  const KnownTimes* known_times = nullptr;
};

class CollectiveEngine final : public RecordedCollectives,
                               private ChunkHost,
                               private PhaseListener,
                               private EventHandler {
 public:
  // Keeps references to all of it. Throws InputError when the system does not fit the machine. Messages are
  // simulated on every rank or not at all.
  CollectiveEngine(EventLoop& loop, RankTimers& timers, const CollectiveMachine& machine,
                   const FoldedRanks& representation, CollectiveListener& listener);

  // A class joins the collective that all ranks of its part issue once with this token. With a barrier over
  // the machine they issue them in the same order. Returns false when the collective is inactive, that is, no
  // dimension of more than one NPU takes part; then nothing will happen. `at` may lie ahead of the present
  // where phases have no barrier over the machine and Themis does not plan.
  [[nodiscard]] Issued issue(ClassId of_class, std::uint32_t token, const CollectiveRequest& request,
                             Stamp at) override;

  void number(ClassId of_class, std::uint32_t token, const CollectiveRequest& request) override {
    collective_of(of_class, token, request);
  }
  // Must be called when everything has happened. Throws AmbiguousEventOrder as above.
  void end() override {
    if (ties_) ties_->end();
  }
  // Returns the records of the chunks of a part's recorded rank.
  ChunkRecords records(std::uint32_t part) const override { return recorder_.of(part); }
  std::vector<Bytes> payload(std::uint32_t part) const override { return phases_->payload(part); }
  std::uint64_t messages() const override { return phases_->messages(); }
  // Returns how often each phase has run. The keys point into the engine.
  PhaseCounts phases() const override;

  std::vector<Waiting> waiting() const override;

 private:
  struct Collective {
    CollectivePlan plan;
    std::uint32_t part = 0;
    std::uint32_t first_chunk = 0;
    std::uint32_t token = 0;
    std::uint32_t absent = 0;                // number of the part's classes that do not issue it here
    std::vector<std::uint32_t> chunks_left;  // by class; not_issued: it has not issued the collective
    std::uint32_t done = 0;                  // number of classes that have completed it
  };
  static constexpr PhaseEngine::RunId not_open = 0xffffffff;
  static constexpr std::uint32_t not_issued = 0xffffffff;
  enum What : std::uint16_t { instant_ends, group_arrives, phase_ends, group_ends };
  struct Chunk {
    ChunkInfo info;
    std::vector<PhaseEngine::RunId> runs;  // by phase
  };

  std::string describe(const WaitingPhase& waiting) const;
  Collective& collective_of(ClassId of_class, std::uint32_t token, const CollectiveRequest& request);
  Collective& open(std::uint32_t part, std::uint32_t token, const CollectiveRequest& request);
  std::uint32_t absent_in(std::uint32_t part, const CollectiveRequest& request) const;
  Collective& collective_of(std::uint32_t chunk) { return *collectives_[chunks_[chunk].info.collective]; }
  // The following functions are called for recorded classes only.
  [[gnu::noinline]] void record_entry(std::uint32_t chunk, std::uint32_t phase);
  [[gnu::noinline]] void record_end(std::uint32_t chunk, std::uint32_t phase);
  PhaseEngine::RunId run_of(std::uint32_t chunk, std::uint32_t phase);

  const ChunkInfo& chunk(std::uint32_t chunk) const override { return chunks_[chunk].info; }
  void entered(ClassId of_class, std::uint32_t chunk, std::uint32_t phase) override;
  bool group_starts(std::span<const ClassId> classes, std::uint32_t chunk, std::uint32_t phase) override;
  void start(ClassId of_class, std::uint32_t chunk, std::uint32_t phase) override;
  void left(ClassId of_class, std::uint32_t chunk, std::uint32_t phase) override;
  void finished(ClassId of_class, std::uint32_t chunk) override;
  void group_finished(std::span<const ClassId> classes, std::uint32_t chunk) override;
  void finished_on(Collective& collective, std::size_t classes);
  void tell_when_instant_ends() override { loop_.at_end_of_instant(Event{handler_, instant_ends, 0, 0, 0}); }
  void tell_when_group_arrives(Stamp at, std::uint32_t chunk, std::uint32_t group) override;
  void handle(const Event& event) override;
  // Where other phases have passed one, its members end it later than they were told at its start.
  void phase_ended(ClassId of_class, std::uint32_t chunk) override;
  void group_ended(std::span<const ClassId> classes, std::uint32_t chunk) override;

  EventLoop& loop_;
  CollectiveListener& listener_;
  std::uint16_t handler_;
  bool loads_reset_by_rank_0_;
  const RankClasses& classes_;
  const RankParts& parts_;
  const KnownTimes* known_times_;
  PartPlanners planners_;
  ChunkRecorder recorder_;
  std::unique_ptr<PhaseEngine> phases_;
  std::optional<TieOrderChecker> ties_;
  std::optional<LinkReservations>
      turns_;               // where links bound phases that take no part in a simulation of links
  Stamp earliest_end_ = 0;  // earliest end of the phase that a group is about to start
  Numbered<std::span<const ClassId>> moved_groups_;  // whose ends have been moved
  std::unique_ptr<ChunkScheduler> flow_;
  std::vector<std::vector<std::uint32_t>> numbers_;       // of collectives, by part and token
  std::vector<std::unique_ptr<Collective>> collectives_;  // in order of issue
  std::vector<Chunk> chunks_;
};

}  // namespace orrery::core
