#include "collective/streams/stream_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "collective/phase/ambiguous_event_order.hpp"

namespace orrery::core {

StreamEngine::StreamEngine(EventLoop& loop, RankTimers& timers, Messenger& messenger,
                           const SystemConfig& config, const RequestNames& names, const Dialect& dialect,
                           const Topology& topology, DimensionUses& uses, CollectiveListener& listener,
                           PhaseBarriers* barriers, RepresentativeRank* for_all)
    : loop_(loop),
      config_(config),
      names_(names),
      uses_(uses),
      listener_(listener),
      barriers_(barriers),
      handler_(loop.add_handler(*this)),
      planner_(config, names, topology),
      agreement_(names.communicators),
      parts_(loop, timers, messenger, config, dialect, topology.npus(), *this, for_all),
      ranks_(static_cast<std::size_t>(topology.npus())),
      queues_(ranks_.size() * planner_.queues_per_rank()) {}

Issued StreamEngine::issue(ClassId of_class, std::uint32_t token, const CollectiveRequest& request, Stamp) {
  const RankId rank = simulated_of(of_class);
  const std::uint64_t base = names_.communicator_of(request).tags;
  Rank& state = ranks_[rank.index()];
  if (!is_symmetric(request.kind)) {
    const std::string why = agreement_.begin(rank, request, state.streams.of(base));
    if (!why.empty()) throw CollectiveError(why);
  }
  std::vector<std::vector<StreamPhase>> chunks = planner_.plan(rank, request);
  int priority = request.priority;
  if (config_.issue_order != IssueOrder::by_priority)
    priority = config_.issue_order == IssueOrder::lifo ? state.next_priority++ : state.next_priority--;
  const std::uint32_t collective =
      collectives_.keep({rank, token, static_cast<std::uint32_t>(chunks.size()), planner_.is_small(request)});
  const std::uint64_t outer_cause = cause_;
  if (barriers_ && cause_ == 0) cause_ = barriers_->new_run();
  for (auto& phases : chunks) {
    const std::uint64_t tag = (base + ranks_[rank.index()].streams[base]++) % trace_tags + trace_tags;
    if (phases.empty()) {
      finish(collective);
      continue;
    }
    const std::uint32_t stream = streams_.keep({rank, collective, tag, priority, 0, std::move(phases)});
    enter(stream);
    fill(queue_of(rank, streams_[stream].phases[0].queue));
  }
  cause_ = outer_cause;
  return Issued::later;
}

// The collective is completed, with everything that follows from it, before a waiting stream gets its turn.
void StreamEngine::part_ended(std::uint32_t number) {
  const RankId rank = streams_[number].rank;
  const std::uint32_t phase = streams_[number].phase++;
  uses_.end(rank, streams_[number].phases[phase], loop_.now());
  const bool ended = phase + 1 == streams_[number].phases.size();
  Queue& queue = queue_of(rank, streams_[number].phases[phase].queue);
  if (ended) finish(streams_[number].collective);
  if (barriers_) check_order(queue);
  queue.chunks.remove(number);
  if (!ended) enter(number);
  queue.chunks.free_slot();
  fill(queue);
  if (ended)
    streams_.take(number);
  else
    fill(queue_of(rank, streams_[number].phases[phase + 1].queue));
}

void StreamEngine::finish(std::uint32_t collective) {
  if (--collectives_[collective].streams_left > 0) return;
  const Collective done = collectives_.take(collective);
  listener_.collective_completed(class_of_simulated(done.rank), done.token);
}

// Puts the stream into the queue of its present phase.
void StreamEngine::enter(std::uint32_t number) {
  Stream& stream = streams_[number];
  const StreamPhase& phase = stream.phases[stream.phase];
  Queue& queue = queue_of(stream.rank, phase.queue);
  if (barriers_) {
    check_order(queue);
    const std::uint64_t cause = cause_ != 0 ? cause_ : barriers_->new_run();
    stream.place = {phase.queue, queue.entries.enter(loop_.now(), cause)};
  }
  queue.chunks.insert({number, stream.priority, phase.shape ? phase.shape->input : Bytes(),
                       phase.shape ? phase.shape->kind : CollectiveKind::all_reduce,
                       static_cast<std::uint16_t>(stream.phases.size() - 1 - stream.phase)},
                      QueueOrder::fifo);
}

void StreamEngine::check_order(Queue& queue) {
  const auto items = queue.chunks.items();
  if (queue.entries.order_mattered(loop_.now(), !items.empty() && !items.back().started))
    throw AmbiguousEventOrder("chunks wait for their turn that reached a dimension in the same instant");
}

void StreamEngine::fill(Queue& queue) {
  while (const auto stream = queue.chunks.start_next(config_.slots())) start(*stream);
}

void StreamEngine::start(std::uint32_t number) {
  const Stream& stream = streams_[number];
  const StreamPhase& phase = stream.phases[stream.phase];
  const StreamPart part{&phase, stream.rank, collectives_[stream.collective].small, stream.tag};
  uses_.start(stream.rank, phase, loop_.now());
  if (barriers_ && phase.shape)
    meet(number, part);
  else
    parts_.start(number, part);
}

void StreamEngine::meet(std::uint32_t number, const StreamPart& part) {
  const Stream& stream = streams_[number];
  const StreamPhase& phase = *part.phase;
  const std::optional<PhaseBarriers::Meeting> meeting =
      barriers_->start({stream.tag, stream.phase, phase.members.rank_at(0)}, *phase.shape, phase.members,
                       parts_.endpoint_delay(part), {loop_.now(), number, stream.place});
  if (!meeting) return;
  for (std::size_t i = 0; i < meeting->starts.size(); ++i) {
    const std::uint32_t member = meeting->starts[i].stream;
    streams_[member].run = meeting->run;
    loop_.at(meeting->ends[i], Event{handler_, 0, streams_[member].rank.value(), member, 0});
  }
}

void StreamEngine::handle(const Event& event) {
  cause_ = streams_[event.object].run;
  part_ended(event.object);
  cause_ = 0;
}

void StreamEngine::prefetch_phases(const Event& event) const {
  constexpr std::size_t most = 4;  // prefetches of either; more would crowd out what is needed first
  const std::vector<StreamPhase>& phases = streams_[event.object].phases;
  orrery::core::prefetch(phases.data(), std::min(phases.size(), most));
  const std::size_t queues = planner_.queues_per_rank();
  orrery::core::prefetch(&queues_[event.rank * queues], std::min(queues, most));
}

std::vector<CollectiveBackend::Waiting> StreamEngine::waiting() const {
  std::vector<Waiting> found;
  const std::size_t queues = planner_.queues_per_rank();
  for (const RankId rank : first_ids<RankId>(ranks_.size()))
    for (const Queue& queue : std::span(queues_).subspan(rank.index() * queues, queues))
      for (const ChunkQueue::Item& item : queue.chunks.items())
        found.push_back({class_of_simulated(rank), collectives_[streams_[item.chunk].collective].token,
                         described(item.chunk, item.started)});
  return found;
}

std::string StreamEngine::described(std::uint32_t number, bool started) const {
  const Stream& stream = streams_[number];
  const StreamPhase& phase = stream.phases[stream.phase];
  const std::string progress = started ? parts_.progress(number) : "waits for its turn";
  const std::string place = fmt::format("phase {} of {} of a chunk", stream.phase + 1, stream.phases.size());
  return phase.custom ? fmt::format("{} {} among {} ranks: {}", phase.custom->name, place,
                                    phase.members.size(), progress)
                      : fmt::format("{} {} ({} bytes among {} ranks), {}", name_of(phase.shape->kind), place,
                                    phase.shape->input.count(), phase.members.size(), progress);
}

}  // namespace orrery::core
