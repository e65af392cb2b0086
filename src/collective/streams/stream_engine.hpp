// Runs collectives as ASTRA-sim 2 does: every rank runs its own streams, and ranks meet only in their
// messages (docs/models/streams.md, Scheduling).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/dialect.hpp"
#include "base/prefetch.hpp"
#include "collective/chunk_queue.hpp"
#include "collective/shared_bus.hpp"
#include "collective/streams/group_counters.hpp"
#include "collective/streams/meetings.hpp"
#include "collective/streams/messenger.hpp"
#include "collective/streams/rank_for_all.hpp"
#include "collective/streams/stream_issuer.hpp"
#include "collective/streams/stream_plan.hpp"
#include "events/rank_timers.hpp"

namespace orrery {

class StreamEngine final : public StreamIssuer, public EventHandler {
 public:
  // Keeps references. With `meetings`, phases are worked out in one go where that can be; then the functions
  // throw OrderMatters where only a simulation of every message knows what happens. With `for_all`, which
  // observes the loop, rank 0 alone issues collectives; they throw OrderMatters where it cannot stand for
  // all.
  StreamEngine(EventLoop& loop, RankTimers& timers, Messenger& messenger, const StreamConfig& config,
               const Dialect& dialect, const Topology& topology, StreamListener& listener,
               Meetings* meetings = nullptr, RankForAll* for_all = nullptr);

  // A rank starts its next collective. Throws what StreamPlanner::plan() does.
  void issue(std::uint32_t rank, std::uint32_t token, const StreamRequest& request) override;

  void handle(const Event& event) override;
  bool handles(const Event& event) const { return event.handler == handler_; }
  // These two fetch into the cache what handling the event will need: prefetch() its stream, and
  // prefetch_phases(), once that is there, the stream's phases and the rank's queues.
  void prefetch(const Event& event) const { orrery::prefetch(&streams_[event.object]); }
  void prefetch_phases(const Event& event) const;

  std::uint64_t issued_streams(std::uint32_t rank, std::uint64_t tag_base) const override;
  std::vector<std::string> waiting(std::uint32_t rank) const override;

 private:
  enum What : std::uint16_t {
    endpoint_passed,
    prepared,
    received,
    custom_step_ended,
    custom_endpoint_passed,
    phase_ended
  };
  using enum TreeSchedule::Relation;
  using enum TreeSchedule::Step;
  struct Collective {
    std::uint32_t rank, token;
    std::uint32_t streams_left;
    bool small;  // in a group smaller than the machine
  };
  struct alignas(64) Stream {
    std::uint32_t rank = 0;
    std::uint32_t collective = 0;
    std::uint64_t tag = 0;  // tag of its messages
    int priority = 0;
    std::int32_t phase = -1;
    std::vector<StreamPhase> phases;
    QueuePlace place;  // with meetings
    // The following members describe the present phase.
    PlaceInRun step;  // with meetings, once all members have started
    std::uint64_t sends_left = 0, received = 0;
    std::uint32_t credit = 0;            // prepared, not yet sent
    std::uint32_t begun = 0;             // preparations
    std::vector<std::uint32_t> missing;  // custom: predecessors that have not ended, by step
  };
  struct alignas(64) Queue {  // a cache line, as thousands of ranks act in turn
    ChunkQueue chunks;
    EntryWatch entries;  // with meetings
  };
  struct Rank {
    int next_priority = 0;
    GroupCounters streams;  // issued
  };

  const StreamPhase& present(const Stream& stream) const {
    return stream.phases[static_cast<std::size_t>(stream.phase)];
  }
  Queue& queue_of(std::uint32_t rank, std::uint32_t queue) {
    return queues_[std::size_t{rank} * planner_.queues_per_rank() + queue];
  }
  std::uint32_t add_stream();
  void advance(std::uint32_t stream);
  void fill(std::uint32_t rank, std::uint32_t queue);
  void start(std::uint32_t stream);
  void finish(std::uint32_t stream);
  Time endpoint_delay(const Stream& stream) const;

  void meet(std::uint32_t stream);
  void watch_queue(std::uint32_t rank, std::uint32_t queue);
  void watch_entry(Stream& stream, std::uint32_t queue);

  void prepare(std::uint32_t stream, std::uint32_t index);
  bool reduces(const Stream& stream, std::uint32_t index) const;
  bool uses_bus(const Stream& stream) const { return bus_ && !collectives_[stream.collective].small; }
  void pass_endpoint(const Stream& stream, Bytes bytes, SharedBus::Pass pass, const Event& passed);
  void delay_at_endpoint(const Stream& stream, const Event& passed);
  void on_endpoint_passed(std::uint32_t stream, std::uint32_t index);
  void on_prepared(std::uint32_t stream, std::uint32_t index);
  void on_received(std::uint32_t stream, std::uint32_t index);
  void send(std::uint32_t stream, std::uint32_t position, Bytes bytes);
  void receive(std::uint32_t stream, std::uint32_t position, Bytes bytes, std::uint32_t index);

  void begin_exchange(std::uint32_t stream);
  void exchange_prepared(std::uint32_t stream);
  bool try_exchange(std::uint32_t stream);
  void send_for_all(std::uint32_t stream, std::uint32_t from, const ExchangeSchedule::Step& step);
  void start_custom(std::uint32_t stream);
  void issue_custom(std::uint32_t stream, std::uint32_t step);
  void on_custom_endpoint_passed(std::uint32_t stream, std::uint32_t step);
  void on_custom_step_ended(std::uint32_t stream, std::uint32_t step);
  void start_tree(std::uint32_t stream);
  void tree_prepared(std::uint32_t stream, std::uint32_t step);
  void tree_received(std::uint32_t stream, std::uint32_t relation);
  void go_up(std::uint32_t stream);
  TreeSchedule::Node node_of(const Stream& stream) const;
  Event event(What what, std::uint32_t stream, std::uint32_t index) const {
    return Event{handler_, what, streams_[stream].rank, stream, index};
  }

  EventLoop& loop_;
  RankTimers& timers_;
  Messenger& messenger_;
  const StreamConfig& config_;
  StreamListener& listener_;
  Meetings* meetings_;
  RankForAll* for_all_;
  std::uint64_t cause_ = 0;  // run of the phase whose end is at work; 0: something else is
  std::uint16_t handler_;
  StreamPlanner planner_;
  int slots_;
  std::unique_ptr<SharedBus> bus_;
  std::vector<Rank> ranks_;
  std::vector<Queue> queues_;  // rank by rank
  std::vector<Collective> collectives_;
  std::vector<std::uint32_t> free_collectives_;
  std::vector<Stream> streams_;
  std::vector<std::uint32_t> free_streams_;
};

}  // namespace orrery
