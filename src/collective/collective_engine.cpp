#include "collective/collective_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/unreachable.hpp"
#include "collective/messages/message_engine.hpp"
#include "collective/timelines/timeline_engine.hpp"

namespace orrery::core {

namespace {
constexpr std::uint32_t no_collective = 0xffffffff;

int queue_dimensions(const CollectiveMachine& machine) {
  std::size_t most = 0;
  for (const Communicator& communicator : machine.communicators)
    most = std::max(most, communicator.dimensions.size());
  for (const auto& choices : machine.system.algorithms) most = std::max(most, choices.size());
  return static_cast<int>(most);
}
}  // namespace

CollectiveEngine::CollectiveEngine(EventLoop& loop, RankTimers& timers, const CollectiveMachine& machine,
                                   const FoldedRanks& representation, CollectiveListener& listener)
    : loop_(loop),
      listener_(listener),
      handler_(loop.add_handler(*this)),
      loads_reset_by_rank_0_(machine.dialect.themis_resets_with_rank0),
      classes_(representation.classes),
      parts_(representation.parts),
      known_times_(representation.known_times),
      planners_(machine.system, machine.dialect, machine.topology, machine.communicators, machine.network),
      recorder_(loop, parts_.count(), machine.communicators),
      flow_(make_chunk_flow(machine.dialect.phase_barrier, *this, machine.system, queue_dimensions(machine),
                            representation.classes, representation.in_step)),
      numbers_(parts_.count()) {
  const auto dimensions = static_cast<int>(machine.topology.dimensions.size());
  PhaseListener& ended = *this;
  if (!machine.transport && !machine.trials && !machine.dialect.overloads_links) {
    const TrafficMachine traffic{machine.topology, machine.dialect, machine.setup, machine.system.rendezvous};
    turns_.emplace(traffic, machine.system, machine.network, loop.clock(), classes_, machine.communicators);
  }
  if (representation.by_messages) {
    phases_ = std::make_unique<MessageEngine>(loop, timers, machine.system, machine.dialect, machine.network,
                                              parts_, dimensions, ended, classes_.ranks() / classes_.count(),
                                              machine.transport);
    return;
  }
  auto timelines = std::make_unique<TimelineEngine>(loop, machine.system, machine.dialect, machine.network,
                                                    classes_, parts_, dimensions, representation.watches_ties,
                                                    ended, machine.trials);
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

CollectiveEngine::Collective& CollectiveEngine::open(std::uint32_t part, std::uint32_t token,
                                                     const CollectiveRequest& request) {
  const auto number = static_cast<std::uint32_t>(collectives_.size());
  collectives_.push_back(std::make_unique<Collective>());
  Collective& made = *collectives_.back();
  made.plan = planners_.plan(part, request);
  made.part = part;
  made.token = token;
  made.absent = absent_in(part, request);
  made.first_chunk = static_cast<std::uint32_t>(chunks_.size());
  for (const ChunkPlan& plan : made.plan.chunks)
    chunks_.push_back({{&plan, made.plan.priority, number, parts_[part].simulated - made.absent}, {}});
  made.chunks_left.assign(classes_.count(), not_issued);
  return made;
}

std::uint32_t CollectiveEngine::absent_in(std::uint32_t part, const CollectiveRequest& request) const {
  std::uint32_t absent = 0;
  if (!known_times_) return absent;
  for (const ClassId of_class : first_ids<ClassId>(classes_.count()))
    absent +=
        parts_.of(of_class) == part && known_times_->find(classes_.representative(of_class), request) ? 1 : 0;
  return absent;
}

CollectiveEngine::Collective& CollectiveEngine::collective_of(ClassId of_class, std::uint32_t token,
                                                              const CollectiveRequest& request) {
  const std::uint32_t part = parts_.of(of_class);
  std::vector<std::uint32_t>& numbers = numbers_[part];
  if (token >= numbers.size()) numbers.resize(token + 1, no_collective);
  const bool first = numbers[token] == no_collective;
  const bool resets = loads_reset_by_rank_0_ ? of_class == ClassId(0) : first;
  if (resets) planners_.reset_loads(loop_.time());
  if (!first) return *collectives_[numbers[token]];
  numbers[token] = static_cast<std::uint32_t>(collectives_.size());
  return open(part, token, request);
}

Issued CollectiveEngine::issue(ClassId of_class, std::uint32_t token, const CollectiveRequest& request,
                               Stamp at) {
  Collective& collective = collective_of(of_class, token, request);
  const auto chunks = static_cast<std::uint32_t>(collective.plan.chunks.size());
  collective.chunks_left[of_class.index()] = chunks;
  for (std::uint32_t i = 0; i < chunks; ++i) flow_->create(of_class, collective.first_chunk + i, at);
  flow_->issued(of_class);
  return chunks > 0 ? Issued::later : Issued::nothing_to_do;
}

void CollectiveEngine::tell_when_group_arrives(Stamp at, std::uint32_t chunk, std::uint32_t group) {
  if (at > loop_.now()) {
    loop_.at(at, Event{handler_, group_arrives, 0, chunk, group});
  } else {
    flow_->group_arrives(chunk, group);
  }
}

void CollectiveEngine::handle(const Event& event) {
  switch (What{event.what}) {
    case instant_ends:
      return flow_->instant_ends();
    case group_arrives:
      return flow_->group_arrives(event.object, event.extra);
    case phase_ends:
      return phase_ended(ClassId(event.rank), event.object);
    case group_ends:
      return group_ended(moved_groups_.take(event.extra), event.object);
  }
}

void CollectiveEngine::phase_ended(ClassId of_class, std::uint32_t chunk) {
  const Stamp end = turns_ ? turns_->moved_end(chunk, of_class, loop_.now()) : 0;
  if (end > loop_.now()) return loop_.at(end, Event{handler_, phase_ends, of_class.value(), chunk, 0});
  flow_->phase_ended(of_class, chunk);
}

void CollectiveEngine::group_ended(std::span<const ClassId> classes, std::uint32_t chunk) {
  const Stamp end = turns_ ? turns_->moved_end(chunk, classes[0], loop_.now()) : 0;
  if (end > loop_.now())
    return loop_.at(end, Event{handler_, group_ends, classes[0].value(), chunk, moved_groups_.keep(classes)});
  flow_->group_ended(classes, chunk);
}

PhaseEngine::RunId CollectiveEngine::run_of(std::uint32_t number, std::uint32_t phase) {
  Chunk& chunk = chunks_[number];
  if (chunk.runs.empty()) chunk.runs.assign(chunk.info.plan->phases.size(), not_open);
  if (chunk.runs[phase] == not_open)
    chunk.runs[phase] = phases_->open(number, *chunk.info.plan->phases[phase].shape,
                                      collective_of(number).part, collective_of(number).absent);
  return chunk.runs[phase];
}

void CollectiveEngine::entered(ClassId of_class, std::uint32_t chunk, std::uint32_t phase) {
  if (parts_.is_recorded(of_class)) record_entry(chunk, phase);
}

void CollectiveEngine::record_entry(std::uint32_t chunk, std::uint32_t phase) {
  const ChunkInfo& info = chunks_[chunk].info;
  if (ties_ && phase == 0) ties_->issued(loop_.time(), chunk, info);
  const Collective& collective = *collectives_[info.collective];
  recorder_.enters(collective.part, collective.token, collective.plan.request.communicator, chunk, phase,
                   info.plan->phases[phase]);
}

bool CollectiveEngine::group_starts(std::span<const ClassId> classes, std::uint32_t chunk,
                                    std::uint32_t phase) {
  if (turns_)
    earliest_end_ =
        turns_->earliest_end(*chunks_[chunk].info.plan->phases[phase].shape, chunk, classes, loop_.now());
  if (!phases_->start_together(run_of(chunk, phase), classes, earliest_end_)) return false;
  // The recorded rank, the lowest of its part, is always the first of its group.
  if (parts_.is_recorded(classes[0])) recorder_.starts(chunk);
  return true;
}

void CollectiveEngine::start(ClassId of_class, std::uint32_t chunk, std::uint32_t phase) {
  if (parts_.is_recorded(of_class)) recorder_.starts(chunk);
  if (turns_) earliest_end_ = turns_->earliest_end_of_member(of_class, loop_.now());
  phases_->start(run_of(chunk, phase), of_class, earliest_end_);
}

void CollectiveEngine::left(ClassId of_class, std::uint32_t chunk, std::uint32_t phase) {
  if (parts_.is_recorded(of_class)) record_end(chunk, phase);
}

void CollectiveEngine::record_end(std::uint32_t chunk, std::uint32_t phase) {
  const PhaseRecord& record = recorder_.leaves(chunk, phases_->take_receive_statistics(run_of(chunk, phase)));
  if (ties_) ties_->moves(record.left, chunk, chunks_[chunk].info, phase, record.started);
}

void CollectiveEngine::finished(ClassId of_class, std::uint32_t chunk) {
  Collective& collective = collective_of(chunk);
  if (parts_.is_recorded(of_class)) recorder_.finishes(collective.part, chunk);
  if (--collective.chunks_left[of_class.index()] > 0) return;
  finished_on(collective, 1);
  listener_.collective_completed(of_class, collective.token);
}

void CollectiveEngine::group_finished(std::span<const ClassId> classes, std::uint32_t chunk) {
  Collective& collective = collective_of(chunk);
  if (parts_.is_recorded(classes[0])) recorder_.finishes(collective.part, chunk);
  std::vector<std::uint32_t>& left = collective.chunks_left;
  std::size_t done = 0;
  for (const ClassId of_class : classes) done += --left[of_class.index()] == 0 ? 1 : 0;
  if (done == 0) return;
  if (done == classes.size()) {
    finished_on(collective, done);
    listener_.collective_completed_together(classes, collective.token);
    return;
  }
  // Chunks that end in groups of different dimensions leave some ranks behind.
  for (const ClassId of_class : classes) {
    if (left[of_class.index()] > 0) continue;
    finished_on(collective, 1);
    listener_.collective_completed(of_class, collective.token);
  }
}

void CollectiveEngine::finished_on(Collective& collective, std::size_t classes) {
  collective.done += static_cast<std::uint32_t>(classes);
  if (collective.done < parts_[collective.part].simulated - collective.absent) return;
  collective.chunks_left = {};
}

std::vector<CollectiveEngine::Waiting> CollectiveEngine::waiting() const {
  std::vector<WaitingPhase> phases = flow_->waiting();
  // Phases that have not been reached mostly wait for others, and queued ones always do, so they come last.
  std::stable_sort(phases.begin(), phases.end(),
                   [](const WaitingPhase& a, const WaitingPhase& b) { return a.state < b.state; });
  std::vector<Waiting> found;
  for (const WaitingPhase& phase : phases) {
    const Collective& collective = *collectives_[chunks_[phase.chunk].info.collective];
    found.push_back({parts_[collective.part].recorded, collective.token, describe(phase)});
  }
  return found;
}

std::string CollectiveEngine::describe(const WaitingPhase& waiting) const {
  const Chunk& chunk = chunks_[waiting.chunk];
  const Collective& collective = *collectives_[chunk.info.collective];
  std::string where =
      fmt::format("chunk {} of {}, phase {} of {}: ", waiting.chunk - collective.first_chunk + 1,
                  collective.plan.chunks.size(), waiting.phase + 1, chunk.info.plan->phases.size());
  const std::uint32_t rank = classes_.representative(waiting.of_class).value();
  switch (waiting.state) {
    case WaitingPhase::State::running:
      return where +
             fmt::format("rank {} {}", rank, phases_->waiting(chunk.runs[waiting.phase], waiting.of_class));
    case WaitingPhase::State::absent:
      return where + fmt::format("{} of {} ranks are there, rank {} {}", waiting.ready, waiting.members, rank,
                                 collective.chunks_left[waiting.of_class.index()] != not_issued
                                     ? "is not"
                                     : "has not issued the collective");
    case WaitingPhase::State::queued:
      return where + fmt::format("waits for its turn on rank {}", rank);
  }
  unreachable("every state of a waiting phase has a description");
}

}  // namespace orrery::core
