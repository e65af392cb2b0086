#include "simulate/executor.hpp"

#include <fmt/format.h>

#include "simulate/slowdown.hpp"
#include "workload/operation_text.hpp"

namespace orrery {

Executor::Executor(EventLoop& loop, RankTimers& timers, const std::vector<const ExecutionGraph*>& graphs,
                   const Machine& machine, const RankClasses& classes)
    : loop_(loop),
      timers_(timers),
      machine_(machine),
      classes_(classes),
      handler_(loop.add_handler(*this)),
      ranks_(classes.count()),
      finish_(ranks_, not_yet) {
  for (const ExecutionGraph* graph : graphs) {
    programs_.push_back(
        {graph, graph->successors(), std::vector<Interval>(graph->size(), Interval{not_yet, not_yet}), {}});
  }
  std::uint64_t operations = 0;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    first_missing_.push_back(operations);
    operations += program_of(rank).graph->size();
  }
  missing_.reserve(operations);
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    const ExecutionGraph& graph = *program_of(rank).graph;
    for (Id id = 0; id < graph.size(); ++id)
      missing_.push_back(static_cast<std::uint32_t>(graph.predecessors(id).size()));
  }
}

void Executor::start(CollectiveIssuer& collectives, MessageCarrier* messages) {
  collectives_ = &collectives;
  messages_ = messages;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    const ExecutionGraph& graph = *program_of(rank).graph;
    for (Id id = 0; id < graph.size(); ++id) {
      if (graph.predecessors(id).empty()) begin(rank, id);
    }
  }
}

// Runs an operation and, depth first in program order, all that follow at the same instant without any event.
void Executor::begin(std::uint32_t rank, Id first) {
  Program& program = program_of(rank);
  const std::size_t bottom = ready_.size();
  ready_.push_back(first);
  while (ready_.size() > bottom) {
    const Id id = ready_.back();
    ready_.pop_back();
    if (is_recorded(rank)) program.intervals[id].start = loop_.time();
    if (!runs_at_once(rank, id)) continue;
    record_completion(rank, id);
    const auto followers = program.successors.of(id);
    for (std::size_t i = followers.size(); i-- > 0;) {
      if (--missing(rank, followers[i]) == 0) ready_.push_back(followers[i]);
    }
  }
}

// Both: false when an event will complete the operation.
bool Executor::passes(std::uint32_t rank, Id id, Time duration) {
  if (duration == Time()) return true;
  timers_.after(rank, duration, Event{handler_, 0, rank, id, 0});
  return false;
}

bool Executor::runs_at_once(std::uint32_t rank, Id id) {
  const Operation& operation = (*program_of(rank).graph)[id];
  switch (operation.kind) {
    case OperationKind::compute:
      return passes(
          rank, id,
          slowed(operation.duration, machine_.slowdown_of(classes_.representative(rank)), machine_.dialect));
    case OperationKind::transition:
      return passes(rank, id, operation.duration);
    case OperationKind::collective:
      return !collectives_->issue(rank, id, operation.collective);
    case OperationKind::send:
      messages_->send(rank, id, operation.message);
      return false;
    case OperationKind::receive:
      return messages_->receive(rank, id, operation.message);
    case OperationKind::begin:
    case OperationKind::pass_end:
      return true;
    case OperationKind::end:
      finish_[rank] = loop_.time();
      ++finished_ranks_;
      return true;
  }
  return true;
}

void Executor::collective_completed(std::uint32_t rank, std::uint32_t id) {
  timers_.after(rank, (*program_of(rank).graph)[id].delay, Event{handler_, 0, rank, id, 0});
}

void Executor::record_completion(std::uint32_t rank, Id id) {
  ++completed_;
  if (!is_recorded(rank)) return;
  programs_[rank].intervals[id].end = loop_.time();
  programs_[rank].completed.push_back(id);
}

void Executor::complete(std::uint32_t rank, Id id) {
  record_completion(rank, id);
  for (Id follower : program_of(rank).successors.of(id)) {
    if (--missing(rank, follower) == 0) begin(rank, follower);
  }
}

double Executor::progress() const {
  return static_cast<double>(completed_) / static_cast<double>(missing_.size());
}

std::string Executor::describe(Id id, std::uint32_t rank) const {
  const ExecutionGraph& graph = *programs_[rank].graph;
  return described(graph, id);
}

std::string Executor::unfinished() const {
  std::uint32_t ranks = 0;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank)
    if (finish_[rank] == not_yet) ranks += classes_.size(rank);
  return fmt::format("{} of {} ranks have not ended", ranks, classes_.ranks());
}

std::vector<std::string> Executor::circles(std::uint32_t rank) const {
  const Program& program = programs_[rank];
  std::vector<std::string> lines;
  for (Id id = 0; id < program.graph->size(); ++id) {
    if (program.intervals[id].start != not_yet) continue;
    // Of what cannot start only the causes: the rest waits for these.
    for (Id predecessor : program.graph->predecessors(id)) {
      if (predecessor >= id) {
        lines.push_back(fmt::format("rank {} cannot start {}: it waits for {}", classes_.representative(rank),
                                    describe(id, rank), describe(predecessor, rank)));
      }
    }
  }
  return lines;
}

std::vector<Executor::Id> Executor::under_way(std::uint32_t rank) const {
  const std::vector<Interval>& intervals = programs_[rank].intervals;
  std::vector<Id> ids;
  for (Id id = 0; id < intervals.size(); ++id)
    if (intervals[id].start != not_yet && intervals[id].end == not_yet) ids.push_back(id);
  return ids;
}

}  // namespace orrery
