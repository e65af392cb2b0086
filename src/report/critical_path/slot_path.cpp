#include "report/critical_path/slot_path.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "program/members.hpp"
#include "report/statistics/rank_times.hpp"

namespace orrery::core {

namespace {

using Id = ExecutionGraph::Id;

bool is_timed_or_local(const ExecutionGraph& graph, Id id) {
  const OperationKind kind = graph.kind(id);
  return graph.is_timed(id) ||
         (kind != OperationKind::collective && kind != OperationKind::send && kind != OperationKind::receive);
}

// Knows what each rank did when, and which operations belong together. Lists are made when they are first
// needed.
class SlotTimes {
 public:
  SlotTimes(const Program& program, const Recording& recording)
      : program_(program), recording_(recording), ranks_(program, recording) {}

  std::uint32_t part_of(RankId rank) const { return ranks_.part_of(rank); }
  const ExecutionGraph& graph_of(RankId rank) const { return ranks_.graph_of(rank); }
  const Interval& at(RankId rank, Id id) const { return ranks_.at(rank, id); }

  // Returns the operation of the rank that took time and ended then: one in the slot before others.
  std::optional<Id> ended(RankId rank, Time then, Slot slot) {
    std::vector<Id>& by_end = by_end_[rank];
    if (by_end.empty()) {
      for (Id id = 0; id < graph_of(rank).size(); ++id)
        if (at(rank, id).start < at(rank, id).end) by_end.push_back(id);
      std::ranges::stable_sort(by_end, {}, [&](Id id) { return at(rank, id).end; });
    }
    const auto end_of = [&](Id id) { return at(rank, id).end; };
    const auto first = std::ranges::lower_bound(by_end, then, {}, end_of);
    const auto last = std::ranges::upper_bound(first, by_end.end(), then, {}, end_of);
    if (first == last) return std::nullopt;
    const auto in_slot = std::find_if(first, last, [&](Id id) { return graph_of(rank).slot(id) == slot; });
    return in_slot == last ? *first : *in_slot;
  }

  using Place = RankTimes::Place;
  // Returns the member that came last to a collective, among those that came before that time; the place
  // itself if no other came later.
  Place last_to_come(const Place& place, Time before) {
    const CollectiveRequest& request = graph_of(place.rank).collective(place.id);
    const Communicator& communicator = program_.communicators[request.communicator];
    Place last = place;
    if (recording_.classes.count() == 1) return last;
    for (const RankId member : members_with(place.rank, request, communicator)) {
      if (!is_awaited(member, place.rank, request, communicator)) continue;
      const std::optional<Id> id = ranks_.same_collective(member, place);
      if (!id) continue;
      const Time start = at(member, *id).start;
      if (start < before && start > at(last.rank, last.id).start) last = {member, *id};
    }
    return last;
  }

  // Returns the other end of a message.
  std::optional<Place> other_end(const Place& place) {
    const ExecutionGraph& graph = graph_of(place.rank);
    const bool sends = graph.kind(place.id) == OperationKind::send;
    const MessageEnd& message = graph.message(place.id);
    const RankId peer(message.peer), from = sends ? place.rank : peer, to = sends ? peer : place.rank;
    const std::vector<Id>& own =
        messages(place.rank, sends ? OperationKind::send : OperationKind::receive, from, to, message);
    const std::vector<Id>& others =
        messages(peer, sends ? OperationKind::receive : OperationKind::send, from, to, message);
    const std::size_t number = ranks_.place_by_start(own, place);
    if (number >= others.size()) return std::nullopt;
    return Place{peer, others[number]};
  }

 private:
  template <class Is>
  std::vector<Id> by_start(RankId rank, const Is& is) const {
    std::vector<Id> ids;
    for (Id id = 0; id < graph_of(rank).size(); ++id)
      if (!graph_of(rank).is_timed(id) && is(id)) ids.push_back(id);
    std::ranges::stable_sort(ids, {}, [&](Id id) { return at(rank, id).start; });
    return ids;
  }

  const std::vector<Id>& messages(RankId rank, OperationKind kind, RankId from, RankId to,
                                  const MessageEnd& like) {
    const auto [known, is_new] = messages_.try_emplace({kind, from, to, like.tag, like.size.count()});
    const ExecutionGraph& graph = graph_of(rank);
    const std::uint32_t peer = (rank == from ? to : from).value();
    if (is_new)
      known->second = by_start(rank, [&](Id id) {
        return graph.kind(id) == kind && graph.message(id).peer == peer &&
               graph.message(id).tag == like.tag && graph.message(id).size == like.size;
      });
    return known->second;
  }

  const Program& program_;
  const Recording& recording_;
  const RankTimes ranks_;
  std::map<RankId, std::vector<Id>> by_end_;  // by rank: what takes time
  std::map<std::tuple<OperationKind, RankId, RankId, std::uint32_t, std::uint64_t>, std::vector<Id>>
      messages_;
};

// Goes back from the end, and adds step by step.
class SlotPathSearch {
 public:
  SlotPathSearch(const Program& program, const Recording& recording)
      : recording_(recording), times_(program, recording) {}

  std::vector<PathStep> search() {
    begin_at_end();
    while (at_ > Time()) {
      pass_operation();
      go_to_cause();
    }
    std::ranges::reverse(steps_);
    return std::move(steps_);
  }

 private:
  void begin_at_end() {
    const auto last = std::ranges::max_element(recording_.finish);
    const RankId rank = recording_.classes.representative(ClassId(last - recording_.finish.begin()));
    at_ = *last;
    here_ = {rank, times_.ended(rank, at_, Slot::none).value_or(0)};
  }

  // Adds a step that begins then and ends where the path is now.
  void add(PathKind kind, Time from) {
    if (from >= at_) return;
    steps_.push_back({kind, here_.rank, times_.part_of(here_.rank), here_.id, {from, at_}, -1});
    at_ = from;
  }

  static PathKind kind_of(OperationKind kind) {
    switch (kind) {
      case OperationKind::collective:
        return PathKind::collective;
      case OperationKind::send:
      case OperationKind::receive:
        return PathKind::message;
      case OperationKind::load:
      case OperationKind::store:
        return PathKind::memory;
      case OperationKind::compute:
        return PathKind::compute;
      default:
        return PathKind::transition;
    }
  }

  void pass_operation() {
    const ExecutionGraph& graph = times_.graph_of(here_.rank);
    const OperationKind kind = graph.kind(here_.id);
    if (times_.at(here_.rank, here_.id).start < at_ && !is_timed_or_local(graph, here_.id)) {
      if (kind == OperationKind::collective)
        here_ = times_.last_to_come(here_, at_);
      else
        pass_message(kind == OperationKind::send);
    }
    add(kind_of(kind), times_.at(here_.rank, here_.id).start);
  }

  // A message is under way from the time at which it is sent; if it waits for its receiver, from the time at
  // which the receiver is there.
  void pass_message(bool sends) {
    const std::optional<SlotTimes::Place> other = times_.other_end(here_);
    if (!other) return;
    const Time start = times_.at(here_.rank, here_.id).start;
    const Time other_start = times_.at(other->rank, other->id).start;
    const bool other_holds_up = recording_.awaits_receivers ? other_start > start : !sends;
    if (other_holds_up && other_start < at_) here_ = *other;
  }

  // The operation at which the path is has begun now: goes to the one that it had to wait for, which was one
  // of its predecessors, or held its slot.
  void go_to_cause() {
    if (at_ == Time()) return;
    const ExecutionGraph& graph = times_.graph_of(here_.rank);
    for (const Id before : graph.predecessors(here_.id)) {
      if (times_.at(here_.rank, before).end != at_) continue;
      here_.id = before;
      return;
    }
    const std::optional<Id> before = times_.ended(here_.rank, at_, graph.slot(here_.id));
    if (before)
      here_.id = *before;
    else
      add(PathKind::transition, Time());
  }

  const Recording& recording_;
  SlotTimes times_;
  std::vector<PathStep> steps_;  // backwards
  Time at_;                      // where the path is, and in which operation of which rank
  SlotTimes::Place here_{RankId(0), 0};
};

}  // namespace

std::vector<PathStep> slot_path(const Program& program, const Recording& recording) {
  return SlotPathSearch(program, recording).search();
}

}  // namespace orrery::core
