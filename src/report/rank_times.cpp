#include "report/rank_times.hpp"

#include <algorithm>

namespace orrery {

RankTimes::RankTimes(const Program& program, const Recording& recording)
    : program_(program), recording_(recording), part_of_(recording.classes.ranks()), place_(part_of_.size()) {
  for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
    const std::vector<std::uint32_t>& ranks = program.parts[part].ranks;
    for (std::uint32_t place = 0; place < ranks.size(); ++place) {
      part_of_[ranks[place]] = part;
      place_[ranks[place]] = place;
    }
  }
}

std::uint32_t RankTimes::last_to_come(std::uint32_t rank, Id id, Time by) const {
  const CollectiveRequest& request = graph_of(rank)[id].collective;
  std::uint32_t last = rank;
  for (const std::uint32_t member : members(rank, request)) {
    if (!is_awaited(request, rank, member)) continue;
    const Time start = at(member, id).start;
    if (start <= by && start > at(last, id).start) last = member;
  }
  return last;
}

std::uint32_t RankTimes::first_to_come(std::uint32_t rank, Id id) const {
  std::uint32_t first = rank;
  for (const std::uint32_t member : members(rank, graph_of(rank)[id].collective))
    if (at(member, id).start < at(first, id).start) first = member;
  return first;
}

std::optional<RankTimes::Id> RankTimes::cause_of(std::uint32_t rank, Id id) const {
  const auto predecessors = graph_of(rank).predecessors(id);
  if (predecessors.empty()) return std::nullopt;
  return *std::ranges::max_element(predecessors, {}, [&](Id one) { return at(rank, one).end; });
}

RankTimes::Id RankTimes::send_of(std::uint32_t rank, Id receive) const {
  const MessageEnd& end = graph_of(rank)[receive].message;
  const std::uint32_t sender = counterpart(rank, end.peer);
  const std::vector<Id>& received = messages(rank, OperationKind::receive, end.peer, end.tag);
  const std::vector<Id>& sent = messages(sender, OperationKind::send, part_of_[rank], end.tag);
  const auto start_of = [&](Id id) { return at(rank, id).start; };
  const auto together = std::ranges::lower_bound(received, start_of(receive), {}, start_of);
  const auto found = std::find(together, received.end(), receive);
  return sent[static_cast<std::size_t>(found - received.begin())];
}

// One rank stands for a class whose members come together.
std::vector<std::uint32_t> RankTimes::members(std::uint32_t rank, const CollectiveRequest& request) const {
  const auto& dimensions = program_.communicators[request.communicator].dimensions;
  std::vector<std::uint32_t> ranks{rank};
  if (recording_.classes.count() == program_.parts.size()) return ranks;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (!request.dimensions[d]) continue;
    const LogicalDimension& dimension = dimensions[d];
    std::vector<std::uint32_t> wider;
    for (const std::uint32_t one : ranks)
      for (int position = 0; position < dimension.size; ++position)
        wider.push_back(
            static_cast<std::uint32_t>(dimension.base(static_cast<int>(one)) + position * dimension.stride));
    ranks = std::move(wider);
  }
  return ranks;
}

// In a collective with a root that has data, the others do not wait for one another.
bool RankTimes::is_awaited(const CollectiveRequest& request, std::uint32_t rank, std::uint32_t member) const {
  if (is_symmetric(request.kind) || request.kind == CollectiveKind::barrier) return true;
  std::uint32_t of_member = 0, of_rank = 0, stride = 1;
  const auto& dimensions = program_.communicators[request.communicator].dimensions;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (!request.dimensions[d]) continue;
    of_member += stride * static_cast<std::uint32_t>(dimensions[d].position(static_cast<int>(member)));
    of_rank += stride * static_cast<std::uint32_t>(dimensions[d].position(static_cast<int>(rank)));
    stride *= static_cast<std::uint32_t>(dimensions[d].size);
  }
  const bool root_has_data =
      request.kind == CollectiveKind::broadcast || request.kind == CollectiveKind::scatter;
  return root_has_data ? of_member == request.root : of_rank == request.root;
}

// Returns the ends of messages of one kind between two parts, in the order of time: sends as they arrive,
// and receives as they begin to wait.
const std::vector<RankTimes::Id>& RankTimes::messages(std::uint32_t rank, OperationKind kind,
                                                      std::uint32_t peer, std::uint32_t tag) const {
  auto& known = messages_[{recording_.classes.class_of(rank), kind, peer, tag}];
  if (!known.empty()) return known;
  const ExecutionGraph& graph = graph_of(rank);
  for (Id id = 0; id < graph.size(); ++id)
    if (graph[id].kind == kind && graph[id].message.peer == peer && graph[id].message.tag == tag)
      known.push_back(id);
  std::ranges::stable_sort(
      known, {}, [&](Id id) { return kind == OperationKind::send ? at(rank, id).end : at(rank, id).start; });
  return known;
}

}  // namespace orrery
