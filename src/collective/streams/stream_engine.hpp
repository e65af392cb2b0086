// Schedules collectives as ASTRA-sim 2 does: every rank cuts its own collectives into streams, whose phases
// take turns in its queues, and ranks meet only in their messages (docs/models/streams.md, Scheduling).
//
// This class knows queues, priorities and whose turn it is. StreamParts decides what a rank does in a phase.
// Where phases are worked out in one go, PhaseBarriers does.
#pragma once

#include <string>
#include <vector>

#include "base/containers/numbered.hpp"
#include "base/containers/prefetch.hpp"
#include "base/units/rank_id.hpp"
#include "collective/flow/chunk_queue.hpp"
#include "collective/recorded_collectives.hpp"
#include "collective/streams/dimension_uses.hpp"
#include "collective/streams/phase_barriers.hpp"
#include "collective/streams/plan/group_counters.hpp"
#include "collective/streams/plan/member_agreement.hpp"
#include "collective/streams/plan/stream_plan.hpp"
#include "collective/streams/stream_parts.hpp"

namespace orrery::core {

class StreamEngine final : public RecordedCollectives, public EventHandler, private PartListener {
 public:
  // Keeps references, also those in `names`. With `meetings`, phases are worked out in one go where that can
  // be; then the functions throw AmbiguousEventOrder where only a simulation of every message knows what
  // happens. With `for_all`, which observes the loop, rank 0 alone issues collectives; then they throw
  // AmbiguousEventOrder where it cannot stand for all.
  StreamEngine(EventLoop& loop, RankTimers& timers, Messenger& messenger, const SystemConfig& config,
               const RequestNames& names, const Dialect& dialect, const Topology& topology,
               DimensionUses& uses, CollectiveListener& listener, PhaseBarriers* barriers = nullptr,
               RepresentativeRank* for_all = nullptr);

  // `at` has to be the present. Throws what StreamPlanner::plan() throws, and CollectiveError where members
  // do not agree about a collective with a root.
  [[nodiscard]] Issued issue(ClassId of_class, std::uint32_t token, const CollectiveRequest& request,
                             Stamp at) override;

  // Handles the end of a phase that was worked out in one go.
  void handle(const Event& event) override;
  bool handles(const Event& event) const { return event.handler == handler_; }
  // The following two functions fetch into the cache what handling the event will need: prefetch() fetches
  // its stream, and prefetch_phases(), once that is there, the stream's phases and the rank's queues.
  void prefetch(const Event& event) const { orrery::core::prefetch(&streams_[event.object]); }
  void prefetch_phases(const Event& event) const;

  std::vector<Waiting> waiting() const override;

 private:
  struct Collective {
    RankId rank;
    std::uint32_t token;
    std::uint32_t streams_left;
    bool small;  // the group is smaller than the machine
  };
  struct alignas(64) Stream {
    RankId rank;
    std::uint32_t collective;
    std::uint64_t tag;  // tag of its messages
    int priority;
    std::uint32_t phase;  // index of the present one
    std::vector<StreamPhase> phases;
    // These members are used with meetings:
    QueuePlace place = {};
    std::uint64_t run = 0;  // see PhaseBarriers; of the present phase, once all members have started it
  };
  struct alignas(64) Queue {  // a cache line, as thousands of ranks act in turn
    ChunkQueue chunks;
    EntryOrderChecker entries;  // used with meetings
  };
  struct Rank {
    int next_priority = 0;
    GroupCounters streams;  // numbers of streams that it has issued
  };

  Queue& queue_of(RankId rank, std::uint32_t queue) {
    return queues_[rank.index() * planner_.queues_per_rank() + queue];
  }
  void part_ended(std::uint32_t stream) override;
  void finish(std::uint32_t collective);
  void enter(std::uint32_t stream);
  void fill(Queue& queue);
  void start(std::uint32_t stream);
  void meet(std::uint32_t stream, const StreamPart& part);
  void check_order(Queue& queue);
  std::string described(std::uint32_t number, bool started) const;

  EventLoop& loop_;
  const SystemConfig& config_;
  RequestNames names_;
  DimensionUses& uses_;
  CollectiveListener& listener_;
  PhaseBarriers* barriers_;
  std::uint64_t cause_ = 0;  // run of the phase whose end is being handled; 0: something else is
  std::uint16_t handler_;
  StreamPlanner planner_;
  MemberAgreement agreement_;
  StreamParts parts_;
  std::vector<Rank> ranks_;
  std::vector<Queue> queues_;  // rank by rank
  Numbered<Collective> collectives_;
  Numbered<Stream> streams_;
};

}  // namespace orrery::core
