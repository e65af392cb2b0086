#include "collective/streams/stream_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace orrery {

namespace {
constexpr std::uint64_t tags = 500'000'000;  // tags of streams lie behind those of messages that traces name
constexpr Time small_group_delay = Time::from_ns(10);
}  // namespace

StreamEngine::StreamEngine(EventLoop& loop, RankTimers& timers, Messenger& messenger,
                           const StreamConfig& config, const Dialect& dialect, const Topology& topology,
                           StreamListener& listener, Meetings* meetings, RankForAll* for_all)
    : loop_(loop),
      timers_(timers),
      messenger_(messenger),
      config_(config),
      listener_(listener),
      meetings_(meetings),
      for_all_(for_all),
      handler_(loop.add_handler(*this)),
      planner_(config, topology),
      slots_(config.slots()),
      ranks_(static_cast<std::size_t>(topology.npus())),
      queues_(ranks_.size() * planner_.queues_per_rank()) {
  if (config.shared_bus)
    bus_ = std::make_unique<SharedBus>(loop, timers, *config.shared_bus, dialect, topology.npus());
}

std::uint32_t StreamEngine::add_stream() {
  if (free_streams_.empty()) {
    streams_.emplace_back();
    return static_cast<std::uint32_t>(streams_.size() - 1);
  }
  const std::uint32_t stream = free_streams_.back();
  free_streams_.pop_back();
  streams_[stream] = Stream{};
  return stream;
}

void StreamEngine::issue(std::uint32_t rank, std::uint32_t token, const StreamRequest& request) {
  std::vector<std::vector<StreamPhase>> chunks = planner_.plan(rank, request);
  Rank& state = ranks_[rank];
  int priority = request.priority;
  if (config_.priority != StreamPriority::explicit_)
    priority = config_.priority == StreamPriority::lifo ? state.next_priority++ : state.next_priority--;
  std::uint32_t collective;
  if (free_collectives_.empty()) {
    collective = static_cast<std::uint32_t>(collectives_.size());
    collectives_.emplace_back();
  } else {
    collective = free_collectives_.back();
    free_collectives_.pop_back();
  }
  collectives_[collective] = {rank, token, static_cast<std::uint32_t>(chunks.size()),
                              planner_.is_small(request)};
  const std::uint64_t outer_cause = cause_;
  if (meetings_ && cause_ == 0) cause_ = meetings_->new_run();
  const std::uint64_t base = tag_base_of(request.group);
  for (auto& phases : chunks) {
    const std::uint32_t stream = add_stream();
    Stream& made = streams_[stream];
    made.rank = rank;
    made.collective = collective;
    made.tag = (base + ranks_[rank].streams[base]++) % tags + tags;
    made.priority = priority;
    made.phases = std::move(phases);
    advance(stream);
  }
  cause_ = outer_cause;
}

// The collective is complete, with all that follows from that, before a waiting stream gets its turn.
void StreamEngine::advance(std::uint32_t number) {
  const std::uint32_t rank = streams_[number].rank;
  const std::int32_t last = streams_[number].phase++;
  const std::size_t next = static_cast<std::size_t>(last) + 1;
  const bool ended = next == streams_[number].phases.size();
  std::uint32_t old_queue = 0;
  if (last >= 0) old_queue = streams_[number].phases[static_cast<std::size_t>(last)].queue;
  if (ended) finish(number);
  if (last >= 0) {
    if (meetings_) watch_queue(rank, old_queue);
    queue_of(rank, old_queue).chunks.remove(number);
  }
  std::uint32_t new_queue = 0;
  if (!ended) {
    Stream& stream = streams_[number];
    const StreamPhase& phase = stream.phases[next];
    new_queue = phase.queue;
    const Bytes input = phase.shape ? phase.shape->input : Bytes();
    const CollectiveKind kind = phase.shape ? phase.shape->kind : CollectiveKind::all_reduce;
    if (meetings_) watch_entry(stream, new_queue);
    queue_of(rank, new_queue)
        .chunks.insert({number, stream.priority, input, kind,
                        static_cast<std::uint16_t>(stream.phases.size() - 1 - next)},
                       QueueOrder::fifo);
  }
  if (last >= 0) {
    queue_of(rank, old_queue).chunks.free_slot();
    fill(rank, old_queue);
  }
  if (!ended) {
    fill(rank, new_queue);
  } else {
    free_streams_.push_back(number);
  }
}

void StreamEngine::finish(std::uint32_t number) {
  const std::uint32_t collective = streams_[number].collective;
  if (--collectives_[collective].streams_left > 0) return;
  const Collective done = collectives_[collective];
  free_collectives_.push_back(collective);
  listener_.collective_finished(done.rank, done.token);
}

Time StreamEngine::endpoint_delay(const Stream& stream) const {
  return collectives_[stream.collective].small ? small_group_delay : config_.endpoint_delay;
}

void StreamEngine::fill(std::uint32_t rank, std::uint32_t queue) {
  while (auto stream = queue_of(rank, queue).chunks.start_next(slots_)) start(*stream);
}

void StreamEngine::start(std::uint32_t number) {
  Stream& stream = streams_[number];
  stream.received = 0;
  stream.credit = stream.begun = 0;
  if (present(stream).custom) {
    start_custom(number);
    return;
  }
  if (meetings_) {
    meet(number);
    return;
  }
  const StreamShape& shape = *present(stream).shape;
  if (for_all_) for_all_->start(shape, present(stream).members, endpoint_delay(stream));
  if (std::holds_alternative<TreeSchedule>(shape.schedule)) {
    start_tree(number);
    return;
  }
  const auto& exchange = std::get<ExchangeSchedule>(shape.schedule);
  stream.sends_left = exchange.messages;
  for (std::uint32_t i = 0; i < exchange.in_flight; ++i) begin_exchange(number);
}

void StreamEngine::handle(const Event& event) {
  switch (event.what) {
    case endpoint_passed:
      on_endpoint_passed(event.object, event.extra);
      break;
    case prepared:
      on_prepared(event.object, event.extra);
      break;
    case received:
      on_received(event.object, event.extra);
      break;
    case custom_step_ended:
      on_custom_step_ended(event.object, event.extra);
      break;
    case phase_ended:
      cause_ = streams_[event.object].step.run;
      advance(event.object);
      cause_ = 0;
      break;
    case custom_endpoint_passed:
      on_custom_endpoint_passed(event.object, event.extra);
      break;
    default:
      break;
  }
}

void StreamEngine::prefetch_phases(const Event& event) const {
  constexpr std::size_t most = 4;  // prefetches of either; more would crowd out what is needed first
  const std::vector<StreamPhase>& phases = streams_[event.object].phases;
  orrery::prefetch(phases.data(), std::min(phases.size(), most));
  const std::size_t queues = planner_.queues_per_rank();
  orrery::prefetch(&queues_[event.rank * queues], std::min(queues, most));
}

bool StreamEngine::reduces(const Stream& stream, std::uint32_t index) const {
  const StreamShape& shape = *present(stream).shape;
  if (std::holds_alternative<ExchangeSchedule>(shape.schedule))
    return !shape.reducing.empty() && shape.reducing[index] != 0;
  return node_of(stream).left != TreeSchedule::none;
}

void StreamEngine::delay_at_endpoint(const Stream& stream, const Event& passed) {
  timers_.after(stream.rank, endpoint_delay(stream), passed);
}

void StreamEngine::pass_endpoint(const Stream& stream, Bytes bytes, SharedBus::Pass pass,
                                 const Event& passed) {
  if (uses_bus(stream)) {
    bus_->request(stream.rank, bytes, pass, passed);
  } else {
    delay_at_endpoint(stream, passed);
  }
}

void StreamEngine::prepare(std::uint32_t number, std::uint32_t index) {
  const Stream& stream = streams_[number];
  const Event passed = event(endpoint_passed, number, index);
  if (!uses_bus(stream)) {
    delay_at_endpoint(stream, passed);
    return;
  }
  const Schedule& schedule = present(stream).shape->schedule;
  const auto* exchange = std::get_if<ExchangeSchedule>(&schedule);
  const Bytes bytes = exchange ? exchange->steps[index % exchange->steps.size()].bytes
                               : std::get<TreeSchedule>(schedule).bytes;
  bus_->request(stream.rank, bytes, bus_pass(present(stream).shape->schedule, index, reduces(stream, index)),
                passed);
}

void StreamEngine::on_endpoint_passed(std::uint32_t number, std::uint32_t index) {
  const Stream& stream = streams_[number];
  if (!reduces(stream, index)) {
    on_prepared(number, index);
    return;
  }
  const StreamShape& shape = *present(stream).shape;
  timers_.after(stream.rank, shape.reductions[index % shape.reductions.size()],
                event(prepared, number, index));
}

void StreamEngine::on_prepared(std::uint32_t number, std::uint32_t index) {
  if (std::holds_alternative<ExchangeSchedule>(present(streams_[number]).shape->schedule)) {
    exchange_prepared(number);
  } else {
    tree_prepared(number, index);
  }
}

void StreamEngine::on_received(std::uint32_t number, std::uint32_t index) {
  if (std::holds_alternative<ExchangeSchedule>(present(streams_[number]).shape->schedule)) {
    ++streams_[number].received;
    begin_exchange(number);
  } else {
    tree_received(number, index);
  }
}

void StreamEngine::send(std::uint32_t number, std::uint32_t position, Bytes bytes) {
  const Stream& stream = streams_[number];
  messenger_.send({stream.tag, stream.rank, present(stream).members.rank_at(position), bytes},
                  messenger_.ignored());
}

void StreamEngine::receive(std::uint32_t number, std::uint32_t position, Bytes bytes, std::uint32_t index) {
  const Stream& stream = streams_[number];
  messenger_.receive({stream.tag, present(stream).members.rank_at(position), stream.rank, bytes},
                     event(received, number, index));
}

std::uint64_t StreamEngine::issued_streams(std::uint32_t rank, std::uint64_t tag_base) const {
  return ranks_[rank].streams.of(tag_base);
}

std::vector<std::string> StreamEngine::waiting(std::uint32_t rank) const {
  std::vector<std::string> lines;
  const std::size_t queues = planner_.queues_per_rank();
  for (const Queue& queue : std::span(queues_).subspan(rank * queues, queues)) {
    for (const ChunkQueue::Item& item : queue.chunks.items()) {
      const Stream& stream = streams_[item.chunk];
      if (present(stream).custom) {
        lines.push_back(fmt::format(
            "{} phase {} of {} of a chunk among {} ranks: {}", present(stream).custom->name, stream.phase + 1,
            stream.phases.size(), present(stream).members.size(),
            item.started ? fmt::format("steps left: {}", stream.sends_left) : "waits for its turn"));
        continue;
      }
      const StreamShape& shape = *present(stream).shape;
      lines.push_back(fmt::format("{} phase {} of {} of a chunk ({} bytes among {} ranks), {}",
                                  name_of(shape.kind), stream.phase + 1, stream.phases.size(),
                                  shape.input.count(), present(stream).members.size(),
                                  item.started ? fmt::format("messages received so far: {}", stream.received)
                                               : "waits for its turn"));
    }
  }
  return lines;
}

}  // namespace orrery
