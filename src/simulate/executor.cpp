#include "simulate/executor.hpp"

#include <fmt/format.h>

namespace orrery {

Executor::Executor(EventLoop& loop, RankTimers& timers, const ExecutionGraph& graph, int ranks)
    : loop_(loop),
      timers_(timers),
      graph_(graph),
      successors_(graph.successors()),
      handler_(loop.add_handler(*this)),
      ranks_(static_cast<std::uint32_t>(ranks)),
      intervals_(graph.size(), Interval{not_yet, not_yet}),
      finish_(ranks_) {
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

// False: an event will complete it.
bool Executor::runs_at_once(std::uint32_t rank, Id id) {
  const Operation& operation = graph_[id];
  switch (operation.kind) {
    case OperationKind::compute:
    case OperationKind::transition:
      if (operation.duration == Time()) return true;
      timers_.after(rank, operation.duration, Event{handler_, 0, rank, id, 0});
      return false;
    case OperationKind::collective: return !collectives_->issue(rank, id, operation.collective);
    case OperationKind::begin:
    case OperationKind::pass_end: return true;
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

std::vector<std::string> Executor::waiting() const {
  std::vector<std::string> lines;
  for (Id id = 0; id < graph_.size(); ++id) {
    const Operation& operation = graph_[id];
    if (operation.kind != OperationKind::collective || intervals_[id].start == not_yet ||
        intervals_[id].end != not_yet) {
      continue;
    }
    const std::string layer = operation.layer < 0 ? "" : " of layer '" + graph_.layer_names[operation.layer] + "'";
    lines.push_back(fmt::format("rank 0 waits since {} us for the {}{}, {} bytes, issued in iteration {}",
                                intervals_[id].start.us(), name_of(operation.collective.kind), layer,
                                operation.collective.size.count(), operation.iteration));
  }
  return lines;
}

}  // namespace orrery
