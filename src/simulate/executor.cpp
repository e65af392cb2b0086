#include "simulate/executor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/unreachable.hpp"
#include "program/operation_text.hpp"
#include "simulate/slowdown.hpp"

namespace orrery {

Executor::Executor(EventLoop& loop, RankTimers& timers, const Program& program, const Machine& machine,
                   const RankClasses& classes, const RankParts& parts, bool looks_ahead, bool records_classes)
    : loop_(loop),
      timers_(timers),
      machine_(machine),
      classes_(classes),
      parts_(parts),
      handler_(loop.add_handler(*this)),
      ranks_(classes.count()),
      looks_ahead_(looks_ahead),
      finish_(ranks_, not_yet) {
  for (const ProgramPart& part : program.parts) {
    const ExecutionGraph& graph = part.graph;
    PartProgram& own =
        programs_.emplace_back(PartProgram{&graph,
                                           graph.successors(),
                                           {},
                                           {},
                                           std::vector<Interval>(graph.size(), Interval{not_yet, not_yet}),
                                           {}});
    for (Id id = 0; id < graph.size(); ++id) {
      const auto predecessors = static_cast<std::uint32_t>(graph.predecessors(id).size());
      own.counter.push_back(predecessors > 1 ? static_cast<std::uint32_t>(own.predecessors.size()) : none);
      if (predecessors > 1) own.predecessors.push_back(predecessors);
    }
  }
  std::uint64_t counters = 0;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    const PartProgram& own = program_of(rank);
    first_missing_.push_back(counters);
    counters += own.predecessors.size();
    operations_ += own.graph->size();
  }
  missing_.reserve(counters);
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    const PartProgram& own = program_of(rank);
    missing_.insert(missing_.end(), own.predecessors.begin(), own.predecessors.end());
  }
  if (looks_ahead_) last_end_.resize(counters, 0);
  if (!records_classes) return;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank)
    of_classes_.emplace_back(program_of(rank).graph->size(), Interval{not_yet, not_yet});
}

// Called when one of the operation's predecessors is complete. Returns whether all are.
bool Executor::is_ready_after_one_more(std::uint32_t rank, Id id) {
  const std::uint32_t counter = program_of(rank).counter[id];
  return counter == none || --missing_[first_missing_[rank] + counter] == 0;
}

void Executor::start(CollectiveIssuer& collectives, const PartMessages* messages, Messenger* messenger) {
  collectives_ = &collectives;
  messages_ = messages;
  messenger_ = messenger;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    const ExecutionGraph& graph = *program_of(rank).graph;
    for (Id id = 0; id < graph.size(); ++id) {
      if (!graph.predecessors(id).empty()) continue;
      if (!is_foreseen(rank)) {
        begin(rank, id);
        continue;
      }
      foreseen_.push_back({id, loop_.now()});
      foresee(rank, 0);
    }
  }
}

// Runs an operation and, depth first in program order, all that follow at the same instant without any event.
void Executor::begin(std::uint32_t rank, Id first) {
  PartProgram& program = program_of(rank);
  const std::size_t bottom = ready_.size();
  ready_.push_back(first);
  while (ready_.size() > bottom) {
    const Id id = ready_.back();
    ready_.pop_back();
    record_start(rank, id);
    if (!completes_immediately(rank, id)) continue;
    record_completion(rank, id);
    const auto followers = program.successors.of(id);
    for (std::size_t i = followers.size(); i-- > 0;) {
      if (is_ready_after_one_more(rank, followers[i])) ready_.push_back(followers[i]);
    }
  }
}

// Lets the operation take its duration. Returns false when an event will complete it.
bool Executor::passes(std::uint32_t rank, Id id, Time duration) {
  if (duration == Time()) return true;
  timers_.after(rank, duration, completion(rank, id));
  return false;
}

bool Executor::completes_immediately(std::uint32_t rank, Id id) {
  const ExecutionGraph& graph = *program_of(rank).graph;
  switch (graph.kind(id)) {
    case OperationKind::compute:
      return passes(rank, id, compute_time(rank, id));
    case OperationKind::transition:
      return passes(rank, id, graph.duration(id));
    case OperationKind::collective:
      return collectives_->issue(rank, id, graph.collective(id), loop_.now()) == Issued::nothing_to_do;
    case OperationKind::send:
      messenger_->send(messages_->key_of_send(rank, graph.message(id)),
                       messages_->load(rank, graph.message(id)), completion(rank, id));
      return false;
    case OperationKind::receive:
      return messenger_->take(messages_->key_of_receive(rank, graph.message(id)), completion(rank, id)) ==
             Received::already;
    case OperationKind::begin:
    case OperationKind::pass_end:
    case OperationKind::note:
    case OperationKind::unknown:
      return true;
    case OperationKind::end:
      finish_[rank] = loop_.time();
      ++finished_ranks_;
      return true;
    case OperationKind::load:
    case OperationKind::store:
      break;
  }
  unreachable("only ranks that issue in slots have memory beyond their own");
}

// A rank that computes slowly communicates as fast as others.
Time Executor::compute_time(std::uint32_t rank, Id id) {
  const ExecutionGraph& graph = *program_of(rank).graph;
  const Time communication = graph.communication(id);
  return communication + slowed(graph.duration(id) - communication,
                                machine_.slowdown_of(classes_.representative(rank)), machine_.dialect);
}

// Goes through what has been foreseen of the rank, down to `bottom` of the stack, and through all that it
// leads to and that needs nothing else: depth first in program order.
void Executor::foresee(std::uint32_t rank, std::size_t bottom) {
  while (foreseen_.size() > bottom) {
    Foreseen next = foreseen_.back();
    foreseen_.pop_back();
    if (!of_classes_.empty()) of_classes_[rank][next.id].start = loop_.clock().time(next.at);
    if (ends_at(rank, next.id, next.at)) foresee_followers(rank, next.id, next.at);
  }
}

// Moves `at` from the operation's start to its end; returns false when the end is not known yet.
bool Executor::ends_at(std::uint32_t rank, Id id, Stamp& at) {
  const ExecutionGraph& graph = *program_of(rank).graph;
  const Clock& clock = loop_.clock();
  switch (graph.kind(id)) {
    case OperationKind::compute:
      at = clock.add(at, clock.span(compute_time(rank, id)));
      return true;
    case OperationKind::transition:
      at = clock.add(at, clock.span(graph.duration(id)));
      return true;
    case OperationKind::collective:
      return collectives_->issue(rank, id, graph.collective(id), at) == Issued::nothing_to_do;
    case OperationKind::begin:
    case OperationKind::pass_end:
    case OperationKind::note:
    case OperationKind::unknown:
      return true;
    case OperationKind::end:
      finish_[rank] = clock.time(at);
      ++finished_ranks_;
      return true;
    case OperationKind::send:
    case OperationKind::receive:
    case OperationKind::load:
    case OperationKind::store:
      break;
  }
  unreachable("an executor looks ahead only where no rank sends messages or uses memory beyond its own");
}

// Pushes what becomes ready by the end of an operation at that time.
void Executor::foresee_followers(std::uint32_t rank, Id id, Stamp at) {
  ++completed_;
  if (!of_classes_.empty()) of_classes_[rank][id].end = loop_.clock().time(at);
  const PartProgram& program = program_of(rank);
  const auto followers = program.successors.of(id);
  for (std::size_t i = followers.size(); i-- > 0;) {
    const std::uint32_t counter = program.counter[followers[i]];
    Stamp start = at;
    if (counter != none) {
      Stamp& last = last_end_[first_missing_[rank] + counter];
      last = std::max(last, at);
      start = last;
    }
    if (is_ready_after_one_more(rank, followers[i])) foreseen_.push_back({followers[i], start});
  }
}

void Executor::collective_completed(std::uint32_t rank, std::uint32_t id) {
  timers_.after(rank, program_of(rank).graph->delay(id), completion(rank, id));
}

void Executor::collective_completed_together(std::span<const std::uint32_t> ranks, std::uint32_t id) {
  if (!looks_ahead_) {
    for (const std::uint32_t rank : ranks) collective_completed(rank, id);
    return;
  }
  const std::uint32_t number = together_.keep(ranks);
  const Time delay = program_of(ranks[0]).graph->delay(id);
  loop_.after(loop_.clock().span(delay), Event{handler_, completes_together, 0, id, number});
}

void Executor::handle(const Event& event) {
  if (event.what == completes) {
    complete(event.rank, event.object);
    return;
  }
  const std::span<const std::uint32_t> ranks = together_.take(event.extra);
  for (const std::uint32_t rank : ranks) complete(rank, event.object);
}

void Executor::record_start(std::uint32_t rank, Id id) {
  if (is_recorded(rank)) program_of(rank).intervals[id].start = loop_.time();
  if (!of_classes_.empty()) of_classes_[rank][id].start = loop_.time();
}

void Executor::record_completion(std::uint32_t rank, Id id) {
  ++completed_;
  if (!of_classes_.empty()) of_classes_[rank][id].end = loop_.time();
  if (!is_recorded(rank)) return;
  PartProgram& program = program_of(rank);
  program.intervals[id].end = loop_.time();
  program.completed.push_back(id);
}

void Executor::complete(std::uint32_t rank, Id id) {
  if (is_foreseen(rank)) {
    const std::size_t bottom = foreseen_.size();
    foresee_followers(rank, id, loop_.now());
    foresee(rank, bottom);
    return;
  }
  record_completion(rank, id);
  for (Id follower : program_of(rank).successors.of(id)) {
    if (is_ready_after_one_more(rank, follower)) begin(rank, follower);
  }
}

std::vector<std::vector<Interval>> Executor::take_operations() {
  if (!of_classes_.empty()) return std::move(of_classes_);
  std::vector<std::vector<Interval>> operations;
  for (PartProgram& program : programs_) operations.push_back(std::move(program.intervals));
  return operations;
}

double Executor::progress() const {
  return static_cast<double>(completed_) / static_cast<double>(operations_);
}

std::string Executor::describe(std::uint32_t part, Id id) const {
  return described(*programs_[part].graph, id);
}

std::string Executor::unfinished() const {
  std::uint32_t ranks = 0;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank)
    if (finish_[rank] == not_yet) ranks += classes_.size(rank);
  return fmt::format("{} of {} ranks have not ended", ranks, classes_.ranks());
}

std::vector<std::string> Executor::circles(std::uint32_t part) const {
  const PartProgram& program = programs_[part];
  const std::uint32_t rank = classes_.representative(parts_[part].recorded);
  std::vector<std::string> lines;
  for (Id id = 0; id < program.graph->size(); ++id) {
    if (program.intervals[id].start != not_yet) continue;
    // Reports only the operations that cause the stall: the others wait for these.
    for (Id predecessor : program.graph->predecessors(id)) {
      if (predecessor >= id) {
        lines.push_back(fmt::format("rank {} cannot start {}: it waits for {}", rank, describe(part, id),
                                    describe(part, predecessor)));
      }
    }
  }
  return lines;
}

std::vector<Executor::Id> Executor::under_way(std::uint32_t part) const {
  const std::vector<Interval>& intervals = programs_[part].intervals;
  std::vector<Id> ids;
  for (Id id = 0; id < intervals.size(); ++id)
    if (intervals[id].start != not_yet && intervals[id].end == not_yet) ids.push_back(id);
  return ids;
}

}  // namespace orrery
