#include "collective/timelines/link_reservations.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace orrery::core {
namespace {

// Returns how many positions the peers are ahead to which members of a group send, around a dimension of
// which the group is every so-manieth NPU. Of schedules other than exchanges it returns all members.
UsedLinks peers_ahead(const PhaseShape& shape, const LogicalDimension& dimension) {
  const auto members = static_cast<std::uint32_t>(shape.group.size),
             npus = static_cast<std::uint32_t>(dimension.size);
  const auto step = static_cast<std::uint32_t>(shape.group.stride / dimension.stride);
  std::set<std::uint32_t> peers;
  if (const auto* exchange = std::get_if<ExchangeSchedule>(&shape.schedule)) {
    for (std::size_t k = 0; k < std::min<std::size_t>(exchange->steps.size(), exchange->messages); ++k)
      for (std::uint32_t position = 0; position < members; ++position) {
        const std::uint32_t to =
            ExchangeSchedule::receiver(exchange->peer, position, exchange->steps[k].amount, members);
        peers.insert((to * step + npus - position * step) % npus);
      }
  } else {
    for (std::uint32_t ahead = 1; ahead < members; ++ahead) peers.insert({ahead * step, npus - ahead * step});
  }
  return {peers.begin(), peers.end()};
}

std::uint64_t number_of(std::uint32_t chunk, ClassId member) {
  return std::uint64_t{chunk} << 32 | member.value();
}

}  // namespace

LinkReservations::LinkReservations(const TrafficMachine& machine, const SystemConfig& system,
                                   const ContentionFreeNetwork& network, const Clock& clock,
                                   const RankClasses& classes, const std::vector<Communicator>& communicators)
    : system_(system),
      network_(network),
      clock_(clock),
      classes_(classes),
      loads_(machine),
      timelines_(system, machine.dialect, network, clock,
                 static_cast<int>(machine.topology.dimensions.size())),
      topology_(machine.topology),
      dimensions_(machine.topology.dimensions.size()),
      queues_(clock, classes.count(), dimensions_) {
  std::vector<std::set<std::pair<int, int>>> groups(dimensions_);  // strides and sizes
  for (const Communicator& communicator : communicators)
    for (const LogicalDimension& dimension : communicator.dimensions)
      groups[static_cast<std::size_t>(dimension.physical)].insert({dimension.stride, dimension.size});
  bool joins = false;
  for (const auto& choices : system.algorithms)
    for (const AlgorithmChoice& choice : choices) joins = joins || choice.whole_machine || choice.joins_rest;
  for (const auto& kinds : groups) same_groups_.push_back(kinds.size() == 1 && !joins);
}

Stamp LinkReservations::earliest_end(const PhaseShape& shape, std::uint32_t chunk,
                                     std::span<const ClassId> members, Stamp now) {
  const LogicalDimension& group = shape.group;
  const bool one_knows = group.physical >= 0 && same_groups_[static_cast<std::size_t>(group.physical)];
  const Time busy = loads_.busiest(shape, npu_of(classes_.representative(members[0])));
  last_ = std::make_shared<LinkTurn>(LinkTurn{&shape, chunk, members, one_knows ? members.first(1) : members,
                                              &links_of(shape), clock_.span(busy)});
  for (const LinkQueues::Turn& moved : queues_.add(last_, now)) watch(moved, now);
  return last_end_ = end_of(*last_, 2);
}

void LinkReservations::watch(const LinkQueues::Turn& moved, Stamp now) {
  const auto members = moved->ends_together ? moved->members.first(1) : moved->members;
  for (std::size_t i = 0; i < members.size(); ++i)
    if (moved->member_ends.empty() || moved->member_ends[i] > now)
      moved_[number_of(moved->chunk, members[i])] = moved;
}

const UsedLinks& LinkReservations::links_of(const PhaseShape& shape) {
  const auto [known, is_new] = used_.try_emplace(&shape);
  if (!is_new || shape.group.physical < 0) return known->second;
  const auto physical = static_cast<std::size_t>(shape.group.physical);
  if (topology_.dimensions[physical].block == Block::fully_connected)
    known->second = peers_ahead(shape, logical_dimensions(topology_)[physical]);
  return known->second;
}

Stamp LinkReservations::earliest_end_of_member(ClassId member, Stamp now) {
  const PhaseShape& shape = *last_->shape;
  last_->ends_together = false;
  if (!std::holds_alternative<ProgramSchedule>(shape.schedule)) return last_end_;
  const auto npu = npu_of(classes_.representative(member));
  const Stamp alone = clock_.add(now, timelines_.of(shape, npu).end_of(shape.group.position(npu)));
  Stamp& end = programs_end_[{shape.group, member}];
  end = std::max(
      {alone, end_of_program(*last_, member), end == 0 ? 0 : clock_.add(end, own_bytes(shape, npu))});
  last_->member_ends.push_back(end);
  return end;
}

Stamp LinkReservations::moved_end(std::uint32_t chunk, ClassId member, Stamp now) {
  if (moved_.empty()) return 0;
  const auto found = moved_.find(number_of(chunk, member));
  if (found == moved_.end()) return 0;
  const LinkTurn& turn = *found->second;
  const bool runs_program = std::holds_alternative<ProgramSchedule>(turn.shape->schedule);
  const Stamp end = runs_program ? end_of_program(turn, member) : end_of(turn, 2);
  if (end <= now) moved_.erase(found);
  return end;
}

// The last member ends when the links have carried all bytes, and others end before it as they do where the
// phase is alone. Where messages meet, so that the phase by itself would ask more of a link than it can
// carry, no member ends before that link has carried all bytes.
Stamp LinkReservations::end_of_program(const LinkTurn& turn, ClassId member) {
  const auto npu = npu_of(classes_.representative(member));
  const PhaseTimeline& alone = timelines_.of(*turn.shape, npu);
  const Stamp end = end_of(turn, 1);
  const bool messages_meet = clock_.add(clock_.difference(turn.carried, turn.busy), alone.latest) < end;
  if (messages_meet) return end;
  return clock_.difference(end,
                           clock_.difference(alone.latest, alone.end_of(turn.shape->group.position(npu))));
}

// Returns how long the longest message that an NPU sends or receives keeps its link, behind those of the
// program before.
Stamp LinkReservations::own_bytes(const PhaseShape& shape, int npu) const {
  const auto& programs = std::get<ProgramSchedule>(shape.schedule);
  const auto position = static_cast<std::uint32_t>(shape.group.position(npu));
  Bytes longest;
  for (const MemberProgram::Step& step : programs.program_of(programs.from_root(position, shape.root)).steps)
    if (step.kind == MemberProgram::Kind::send || step.kind == MemberProgram::Kind::receive)
      longest = std::max(longest, step.bytes);
  const int base = shape.group.base(npu), neighbour = base + shape.group.stride;
  return clock_.difference(network_.duration(base, neighbour, longest),
                           network_.duration(base, neighbour, Bytes()));
}

Stamp LinkReservations::end_of(const LinkTurn& turn, std::uint64_t delays) const {
  const LogicalDimension& group = turn.shape->group;
  const int base = group.base(npu_of(classes_.representative(turn.members[0])));
  const Stamp latency = network_.duration(base, base + group.stride, Bytes());
  const Time paid = system_.shared_bus ? Time() : system_.endpoint_delay * delays;
  return clock_.add(clock_.add(turn.carried, latency), clock_.span(paid));
}

}  // namespace orrery::core
