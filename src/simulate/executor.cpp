#include "simulate/executor.hpp"

#include <fmt/format.h>

#include <array>

#include "simulate/slowdown.hpp"

namespace orrery {

Executor::Executor(EventLoop& loop, RankTimers& timers, const ExecutionGraph& graph, const Machine& machine,
                   const RankClasses& classes)
    : loop_(loop),
      timers_(timers),
      graph_(graph),
      machine_(machine),
      classes_(classes),
      successors_(graph.successors()),
      handler_(loop.add_handler(*this)),
      ranks_(classes.count()),
      intervals_(graph.size(), Interval{not_yet, not_yet}),
      finish_(ranks_, not_yet) {
  missing_.reserve(graph.size() * ranks_);
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    for (Id id = 0; id < graph.size(); ++id) {
      missing_.push_back(static_cast<std::uint32_t>(graph.predecessors(id).size()));
    }
  }
}

void Executor::start(CollectiveEngine& collectives) {
  collectives_ = &collectives;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    for (Id id = 0; id < graph_.size(); ++id) {
      if (graph_.predecessors(id).empty()) begin(rank, id);
    }
  }
}

// Runs an operation and, depth first in program order, all that follow at the same instant without any event.
void Executor::begin(std::uint32_t rank, Id first) {
  const std::size_t bottom = ready_.size();
  ready_.push_back(first);
  while (ready_.size() > bottom) {
    const Id id = ready_.back();
    ready_.pop_back();
    if (rank == 0) intervals_[id].start = loop_.time();
    if (!runs_at_once(rank, id)) continue;
    record_completion(rank, id);
    const auto followers = successors_.of(id);
    for (std::size_t i = followers.size(); i-- > 0;) {
      if (--missing_[rank * graph_.size() + followers[i]] == 0) ready_.push_back(followers[i]);
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
  const Operation& operation = graph_[id];
  switch (operation.kind) {
    case OperationKind::compute:
      return passes(
          rank, id,
          slowed(operation.duration, machine_.slowdown_of(classes_.representative(rank)), machine_.dialect));
    case OperationKind::transition:
      return passes(rank, id, operation.duration);
    case OperationKind::collective:
      return !collectives_->issue(rank, id, operation.collective);
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
  timers_.after(rank, graph_[id].delay, Event{handler_, 0, rank, id, 0});
}

void Executor::record_completion(std::uint32_t rank, Id id) {
  ++completed_;
  if (rank != 0) return;
  intervals_[id].end = loop_.time();
  completed_ids_.push_back(id);
}

void Executor::complete(std::uint32_t rank, Id id) {
  record_completion(rank, id);
  for (Id follower : successors_.of(id)) {
    if (--missing_[rank * graph_.size() + follower] == 0) begin(rank, follower);
  }
}

double Executor::progress() const {
  return static_cast<double>(completed_) / (static_cast<double>(graph_.size()) * ranks_);
}

std::string Executor::describe(Id id) const {
  constexpr std::array<std::string_view, 3> passes{"forward pass", "input gradient", "weight gradient"};
  const Operation& operation = graph_[id];
  if (operation.layer < 0) return fmt::format("operation {}", id);
  const std::string what = operation.kind == OperationKind::collective
                               ? fmt::format("{} of {} bytes", name_of(operation.collective.kind),
                                             operation.collective.size.count())
                               : std::string("compute");
  return fmt::format("the {} for the {} of layer '{}' in iteration {}", what,
                     passes[static_cast<std::size_t>(operation.pass)], graph_.layer_names[operation.layer],
                     operation.iteration);
}

std::string Executor::unfinished() const {
  std::uint32_t ranks = 0;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank)
    if (finish_[rank] == not_yet) ranks += classes_.size(rank);
  return fmt::format("{} of {} ranks have not ended", ranks, classes_.ranks());
}

std::vector<std::string> Executor::circles() const {
  std::vector<std::string> lines;
  for (Id id = 0; id < graph_.size(); ++id) {
    if (intervals_[id].start != not_yet) continue;
    // Of what cannot start only the causes: the rest waits for these.
    for (Id predecessor : graph_.predecessors(id)) {
      if (predecessor >= id) {
        lines.push_back(
            fmt::format("rank 0 cannot start {}: it waits for {}", describe(id), describe(predecessor)));
      }
    }
  }
  return lines;
}

std::vector<Executor::Id> Executor::under_way() const {
  std::vector<Id> ids;
  for (Id id = 0; id < graph_.size(); ++id)
    if (intervals_[id].start != not_yet && intervals_[id].end == not_yet) ids.push_back(id);
  return ids;
}

}  // namespace orrery
