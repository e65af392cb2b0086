#include "collective/collective_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collective/message_engine.hpp"
#include "collective/timeline_engine.hpp"

namespace orrery {

namespace {
int queue_dimensions(const SystemConfig& system, const std::vector<LogicalDimension>& dimensions) {
  std::size_t most = dimensions.size();
  for (const auto& choices : system.algorithms) most = std::max(most, choices.size());
  return static_cast<int>(most);
}
}  // namespace

CollectiveEngine::CollectiveEngine(EventLoop& loop, RankTimers& timers, const CollectiveMachine& machine,
                                   const Representation& representation, CollectiveListener& listener)
    : loop_(loop),
      listener_(listener),
      handler_(loop.add_handler(*this)),
      loads_reset_by_rank_0_(machine.dialect.themis_resets_with_rank0),
      classes_(representation.classes),
      ranks_(classes_.count()),
      planner_(machine.system, machine.dialect, machine.topology, machine.dimensions, machine.network),
      flow_(make_chunk_flow(machine.dialect.phase_barrier, *this, machine.system,
                            queue_dimensions(machine.system, machine.dimensions), representation.classes,
                            representation.in_step)),
      issued_(ranks_, 0) {
  const auto dimensions = static_cast<int>(machine.topology.dimensions.size());
  PhaseListener& ended = *this;
  if (!machine.transport && !machine.dialect.overloads_links) {
    const TrafficMachine traffic{machine.topology, machine.dialect, machine.slow_links,
                                 machine.system.rendezvous};
    turns_.emplace(traffic, machine.system, machine.network, loop.clock(), classes_, machine.dimensions);
  }
  if (representation.by_messages) {
    phases_ = std::make_unique<MessageEngine>(loop, timers, machine.system, machine.dialect, machine.network,
                                              static_cast<int>(ranks_), dimensions, ended, machine.transport);
    return;
  }
  auto timelines = std::make_unique<TimelineEngine>(loop, timers, machine.system, machine.dialect,
                                                    machine.network, representation.classes, dimensions,
                                                    representation.watches_ties, ended);
  if (representation.watches_ties) ties_.emplace(timelines->timelines(), machine.system);
  phases_ = std::move(timelines);
}

PhaseCounts CollectiveEngine::phases() const {
  PhaseCounts phases;
  for (const auto& collective : collectives_) {
    for (const ChunkPlan& chunk : collective->plan.chunks)
      for (const PhasePlan& phase : chunk.phases) ++phases[phase.shape];
  }
  return phases;
}

CollectiveEngine::Collective& CollectiveEngine::next_collective(std::uint32_t rank,
                                                                const CollectiveRequest& request) {
  const std::uint32_t number = issued_[rank]++;
  const bool first = number == collectives_.size();
  const bool resets = loads_reset_by_rank_0_ ? rank == 0 : first;
  if (resets && loop_.time() != loads_reset_at_) {
    planner_.reset_loads();
    loads_reset_at_ = loop_.time();
  }
  if (first) {
    collectives_.push_back(std::make_unique<Collective>());
    Collective& made = *collectives_.back();
    made.plan = planner_.plan(request);
    made.first_chunk = static_cast<std::uint32_t>(chunks_.size());
    for (const ChunkPlan& plan : made.plan.chunks)
      chunks_.push_back({{&plan, made.plan.priority, number}, {}, 0});
    made.chunks_left.assign(ranks_, static_cast<std::uint32_t>(made.plan.chunks.size()));
  }
  return *collectives_[number];
}

bool CollectiveEngine::issue(std::uint32_t rank, std::uint32_t token, const CollectiveRequest& request,
                             Stamp at) {
  Collective& collective = next_collective(rank, request);
  const auto chunks = static_cast<std::uint32_t>(collective.plan.chunks.size());
  collective.token = token;
  for (std::uint32_t i = 0; i < chunks; ++i) flow_->create(rank, collective.first_chunk + i, at);
  flow_->issued(rank);
  return chunks > 0;
}

void CollectiveEngine::tell_when_group_arrives(Stamp at, std::uint32_t chunk, std::uint32_t group) {
  if (at > loop_.now()) {
    loop_.at(at, Event{handler_, group_arrives, 0, chunk, group});
  } else {
    flow_->group_arrives(chunk, group);
  }
}

void CollectiveEngine::handle(const Event& event) {
  if (event.what == group_arrives) {
    flow_->group_arrives(event.object, event.extra);
  } else {
    flow_->instant_ends();
  }
}

PhaseEngine::RunId CollectiveEngine::run_of(std::uint32_t number, std::uint32_t phase) {
  Chunk& chunk = chunks_[number];
  if (chunk.runs.empty()) chunk.runs.assign(chunk.info.plan->phases.size(), not_open);
  if (chunk.runs[phase] == not_open)
    chunk.runs[phase] = phases_->open(number, *chunk.info.plan->phases[phase].shape);
  return chunk.runs[phase];
}

void CollectiveEngine::entered(std::uint32_t rank, std::uint32_t chunk, std::uint32_t phase) {
  if (rank != 0) return;
  const ChunkInfo& info = chunks_[chunk].info;
  if (ties_ && phase == 0) ties_->issued(loop_.time(), chunk, info);
  const std::uint32_t token = collectives_[info.collective]->token;
  chunks_[chunk].record = static_cast<std::uint32_t>(records_.phases.size());
  records_.phases.push_back({chunk,
                             token,
                             static_cast<std::uint16_t>(phase),
                             info.plan->phases[phase].dimension,
                             loop_.time(),
                             {},
                             {},
                             {},
                             0});
}

bool CollectiveEngine::group_starts(std::span<const std::uint32_t> ranks, std::uint32_t chunk,
                                    std::uint32_t phase) {
  if (turns_)
    earliest_end_ = turns_->earliest_end(*chunks_[chunk].info.plan->phases[phase].shape, ranks, loop_.now());
  if (!phases_->start_together(run_of(chunk, phase), ranks, earliest_end_)) return false;
  if (ranks[0] == 0) record_start(chunk, phase);  // rank 0 is always the first of its group
  return true;
}

void CollectiveEngine::start(std::uint32_t rank, std::uint32_t chunk, std::uint32_t phase) {
  if (rank == 0) record_start(chunk, phase);
  phases_->start(run_of(chunk, phase), rank, earliest_end_);
}

void CollectiveEngine::record_start(std::uint32_t chunk, std::uint32_t phase) {
  records_.phases[chunks_[chunk].record].started = loop_.time();
  if (ties_) ties_->starts(loop_.time(), chunk, chunks_[chunk].info.plan->phases[phase]);
}

void CollectiveEngine::left(std::uint32_t rank, std::uint32_t chunk, std::uint32_t phase) {
  if (rank != 0) return;
  PhaseRecord& record = records_.phases[chunks_[chunk].record];
  record.left = loop_.time();
  if (ties_) ties_->moves(record.left, chunk, chunks_[chunk].info, phase, record.started);
  const ReceiveStatistics received = phases_->take_receive_statistics(run_of(chunk, phase));
  record.latency_sum = received.latency_sum;
  record.messages = received.messages;
}

void CollectiveEngine::finished(std::uint32_t rank, std::uint32_t chunk) {
  if (rank == 0) records_.finished.push_back(chunk);
  Collective& collective = *collectives_[chunks_[chunk].info.collective];
  if (--collective.chunks_left[rank] > 0) return;
  finished_on(collective, 1);
  listener_.collective_completed(rank, collective.token);
}

void CollectiveEngine::group_finished(std::span<const std::uint32_t> ranks, std::uint32_t chunk) {
  if (ranks[0] == 0) records_.finished.push_back(chunk);  // rank 0 is always the first of its group
  Collective& collective = *collectives_[chunks_[chunk].info.collective];
  std::vector<std::uint32_t>& left = collective.chunks_left;
  std::size_t done = 0;
  for (const std::uint32_t rank : ranks) done += --left[rank] == 0 ? 1 : 0;
  if (done == 0) return;
  if (done == ranks.size()) {
    finished_on(collective, done);
    listener_.collective_completed_together(ranks, collective.token);
    return;
  }
  // Chunks that end in groups of different dimensions leave some ranks behind.
  for (const std::uint32_t rank : ranks) {
    if (left[rank] > 0) continue;
    finished_on(collective, 1);
    listener_.collective_completed(rank, collective.token);
  }
}

void CollectiveEngine::finished_on(Collective& collective, std::size_t ranks) {
  collective.ranks_done += static_cast<std::uint32_t>(ranks);
  if (collective.ranks_done == ranks_) collective.chunks_left = {};
}

std::vector<CollectiveEngine::Waiting> CollectiveEngine::waiting() const {
  std::vector<WaitingPhase> phases = flow_->waiting();
  // Phases that have not been reached mostly wait for others, and queued ones always do, so they come last.
  std::stable_sort(phases.begin(), phases.end(),
                   [](const WaitingPhase& a, const WaitingPhase& b) { return a.state < b.state; });
  std::vector<Waiting> found;
  for (const WaitingPhase& phase : phases)
    found.push_back({collectives_[chunks_[phase.chunk].info.collective]->token, describe(phase)});
  return found;
}

std::string CollectiveEngine::describe(const WaitingPhase& waiting) const {
  const Chunk& chunk = chunks_[waiting.chunk];
  const Collective& collective = *collectives_[chunk.info.collective];
  std::string where =
      fmt::format("chunk {} of {}, phase {} of {}: ", waiting.chunk - collective.first_chunk + 1,
                  collective.plan.chunks.size(), waiting.phase + 1, chunk.info.plan->phases.size());
  const std::uint32_t rank = classes_.representative(waiting.rank);
  switch (waiting.state) {
    case WaitingPhase::State::running:
      return where +
             fmt::format("rank {} {}", rank, phases_->waiting(chunk.runs[waiting.phase], waiting.rank));
    case WaitingPhase::State::absent:
      return where + fmt::format("{} of {} ranks are there, rank {} {}", waiting.ready, waiting.members, rank,
                                 issued_[waiting.rank] > chunk.info.collective
                                     ? "is not"
                                     : "has not issued the collective");
    case WaitingPhase::State::queued:
      return where + fmt::format("waits for its turn on rank {}", rank);
  }
  return where;
}

}  // namespace orrery
