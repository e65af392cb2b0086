#include "collective/link_turns.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace orrery {
namespace {

// Returns how many positions the peers are ahead to which members of a group send, around a dimension of
// which the group is every so-manieth NPU.
UsedLinks peers_ahead(const LogicalDimension& group, const LogicalDimension& dimension,
                      const ExchangeSchedule& exchange) {
  const auto members = static_cast<std::uint32_t>(group.size),
             npus = static_cast<std::uint32_t>(dimension.size);
  const auto step = static_cast<std::uint32_t>(group.stride / dimension.stride);
  std::set<std::uint32_t> peers;
  for (std::size_t k = 0; k < std::min<std::size_t>(exchange.steps.size(), exchange.messages); ++k)
    for (std::uint32_t position = 0; position < members; ++position) {
      const std::uint32_t to =
          ExchangeSchedule::receiver(exchange.peer, position, exchange.steps[k].amount, members);
      peers.insert((to * step + npus - position * step) % npus);
    }
  return {peers.begin(), peers.end()};
}

}  // namespace

LinkTurns::LinkTurns(const TrafficMachine& machine, const SystemConfig& system,
                     const ContentionFreeNetwork& network, const Clock& clock, const RankClasses& classes,
                     const std::vector<Communicator>& communicators)
    : system_(system),
      network_(network),
      clock_(clock),
      classes_(classes),
      loads_(machine),
      timelines_(system, machine.dialect, network, clock,
                 static_cast<int>(machine.topology.dimensions.size())),
      topology_(machine.topology),
      dimensions_(machine.topology.dimensions.size()),
      links_(dimensions_ * classes.count()) {
  std::vector<std::set<std::pair<int, int>>> groups(dimensions_);  // strides and sizes
  for (const Communicator& communicator : communicators)
    for (const LogicalDimension& dimension : communicator.dimensions)
      groups[static_cast<std::size_t>(dimension.physical)].insert({dimension.stride, dimension.size});
  bool joins = false;
  for (const auto& choices : system.algorithms)
    for (const AlgorithmChoice& choice : choices) joins = joins || choice.whole_machine || choice.joins_rest;
  for (const auto& kinds : groups) same_groups_.push_back(kinds.size() == 1 && !joins);
}

Stamp LinkTurns::earliest_end(const PhaseShape& shape, std::span<const std::uint32_t> members, Stamp now) {
  const LogicalDimension& group = shape.group;
  // A group that spans the machine may use the links of every dimension.
  const std::size_t first = group.physical < 0 ? 0 : static_cast<std::size_t>(group.physical);
  const std::size_t end = group.physical < 0 ? dimensions_ : first + 1;
  const int base = group.base(static_cast<int>(classes_.representative(members[0])));
  if (end == first + 1 && same_groups_[first]) members = members.first(1);
  const UsedLinks& used = links_of(shape);
  Stamp begin = now;
  for (const std::uint32_t member : members)
    for (std::size_t d = first; d < end; ++d)
      begin = std::max(begin, links_[member * dimensions_ + d].free(used));
  const Stamp carried = clock_.add(begin, clock_.span(loads_.busiest(shape, base)));
  for (const std::uint32_t member : members)
    for (std::size_t d = first; d < end; ++d) links_[member * dimensions_ + d].book(used, carried);
  begin_ = begin;
  return end_of(carried, base, group.stride, 2);
}

const UsedLinks& LinkTurns::links_of(const PhaseShape& shape) {
  const auto [known, is_new] = used_.try_emplace(&shape);
  const auto* exchange = std::get_if<ExchangeSchedule>(&shape.schedule);
  if (!is_new || !exchange || shape.group.physical < 0) return known->second;
  const auto physical = static_cast<std::size_t>(shape.group.physical);
  if (topology_.dimensions[physical].block == Block::fully_connected)
    known->second = peers_ahead(shape.group, logical_dimensions(topology_)[physical], *exchange);
  return known->second;
}

Stamp LinkTurns::earliest_end_of_member(const PhaseShape& shape, std::uint32_t member) {
  const auto npu = static_cast<int>(classes_.representative(member));
  const PhaseTimeline& alone = timelines_.of(shape, npu);
  const Stamp carried =
      end_of(clock_.span(loads_.busiest(shape, npu)), shape.group.base(npu), shape.group.stride, 1);
  const Stamp end = alone.end_of(shape.group.position(npu));
  const bool messages_meet = alone.latest < carried;
  return clock_.add(begin_, messages_meet ? std::max(end, carried) : end);
}

Stamp LinkTurns::end_of(Stamp carried, int base, int stride, std::uint64_t delays) const {
  const Stamp latency = network_.duration(base, base + stride, Bytes());
  const Time paid = system_.shared_bus ? Time() : system_.endpoint_delay * delays;
  return clock_.add(clock_.add(carried, latency), clock_.span(paid));
}

}  // namespace orrery
