#include "report/statistics/rank_times.hpp"

#include <algorithm>

#include "program/members.hpp"

namespace orrery::core {

RankTimes::RankTimes(const Program& program, const Recording& recording)
    : program_(program), recording_(recording), part_of_(recording.classes.ranks()), place_(part_of_.size()) {
  for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
    const std::vector<RankId>& ranks = program.parts[part].ranks;
    for (std::uint32_t place = 0; place < ranks.size(); ++place) {
      part_of_[ranks[place].index()] = part;
      place_[ranks[place].index()] = place;
    }
  }
}

// One rank stands for a class whose members come together.
RankId RankTimes::last_to_come(RankId rank, Id id, Time by) const {
  RankId last = rank;
  if (has_one_rank_of_each_part()) return last;
  const CollectiveRequest& request = graph_of(rank).collective(id);
  const Communicator& communicator = program_.communicators[request.communicator];
  for (const RankId member : members_with(rank, request, communicator)) {
    if (!is_awaited(member, rank, request, communicator)) continue;
    const Time start = at(member, id).start;
    if (start <= by && start > at(last, id).start) last = member;
  }
  return last;
}

RankTimes::Place RankTimes::first_to_come(const Place& of) const {
  Place first = of;
  if (has_one_rank_of_each_part()) return first;
  const CollectiveRequest& request = graph_of(of.rank).collective(of.id);
  const Communicator& communicator = program_.communicators[request.communicator];
  for (const RankId member : members_with(of.rank, request, communicator)) {
    const std::optional<Id> id = same_collective(member, of);
    if (id && at(member, *id).start < at(first.rank, first.id).start) first = {member, *id};
  }
  return first;
}

std::optional<RankTimes::Id> RankTimes::same_collective(RankId member, const Place& of) const {
  if (!program_.issues_in_slots()) return of.id;
  const CollectiveRequest& request = graph_of(of.rank).collective(of.id);
  const std::uint64_t tags = program_.communicators[request.communicator].tags;
  const std::vector<Id>& own = collectives(of.rank, tags);
  const std::vector<Id>& of_member = collectives(member, tags);
  const std::size_t number = place_by_start(own, of);
  return number < of_member.size() ? std::optional(of_member[number]) : std::nullopt;
}

// Returns the rank's collectives in the groups of a tag, in the order in which it began them.
const std::vector<RankTimes::Id>& RankTimes::collectives(RankId rank, std::uint64_t tags) const {
  const auto [known, is_new] = collectives_.try_emplace({rank, tags});
  if (!is_new) return known->second;
  const ExecutionGraph& graph = graph_of(rank);
  for (Id id = 0; id < graph.size(); ++id)
    if (graph.kind(id) == OperationKind::collective && !graph.is_timed(id) &&
        program_.communicators[graph.collective(id).communicator].tags == tags)
      known->second.push_back(id);
  std::ranges::stable_sort(known->second, {}, [&](Id id) { return at(rank, id).start; });
  return known->second;
}

std::optional<RankTimes::Id> RankTimes::cause_of(RankId rank, Id id) const {
  const auto predecessors = graph_of(rank).predecessors(id);
  if (predecessors.empty()) return std::nullopt;
  return *std::ranges::max_element(predecessors, {}, [&](Id one) { return at(rank, one).end; });
}

RankTimes::Id RankTimes::send_of(RankId rank, Id receive) const {
  const MessageEnd& end = graph_of(rank).message(receive);
  const RankId sender = counterpart(rank, end.peer);
  const std::vector<Id>& received = messages(rank, OperationKind::receive, end.peer, end.tag);
  const std::vector<Id>& sent = messages(sender, OperationKind::send, part_of_[rank.index()], end.tag);
  return sent[place_by_start(received, {rank, receive})];
}

std::size_t RankTimes::place_by_start(const std::vector<Id>& by_start, const Place& of) const {
  const auto start_of = [&](Id id) { return at(of.rank, id).start; };
  const auto together = std::ranges::lower_bound(by_start, start_of(of.id), {}, start_of);
  return static_cast<std::size_t>(std::find(together, by_start.end(), of.id) - by_start.begin());
}

// Returns the ends of messages of one kind between two parts, in the order in which they are matched: that of
// their starts.
const std::vector<RankTimes::Id>& RankTimes::messages(RankId rank, OperationKind kind, std::uint32_t peer,
                                                      std::uint32_t tag) const {
  auto& known = messages_[{recording_.classes.class_of(rank), kind, peer, tag}];
  if (!known.empty()) return known;
  const ExecutionGraph& graph = graph_of(rank);
  for (Id id = 0; id < graph.size(); ++id)
    if (graph.kind(id) == kind && graph.message(id).peer == peer && graph.message(id).tag == tag)
      known.push_back(id);
  std::ranges::stable_sort(known, {}, [&](Id id) { return at(rank, id).start; });
  return known;
}

}  // namespace orrery::core
