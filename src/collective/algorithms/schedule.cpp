#include "collective/algorithms/schedule.hpp"

namespace orrery::core {

std::uint64_t ExchangeSchedule::reducing_among_first(std::uint64_t count) const {
  const std::uint64_t cycles = count / (fresh + relayed), rest = count % (fresh + relayed);
  const std::uint64_t in_rest = rest > fresh ? rest - fresh : 0;
  switch (kind) {
    case CollectiveKind::reduce_scatter:
      return cycles * relayed + in_rest;
    case CollectiveKind::all_reduce:
      return (cycles + 1) / 2 * relayed + (cycles % 2 == 0 ? in_rest : 0);
    default:
      return 0;
  }
}

std::uint64_t ProgramSchedule::sends() const {
  std::uint64_t sends = 0;
  for (const Member& member : members)
    for (const MemberProgram::Step& step : programs[member.program].steps)
      sends += step.kind == MemberProgram::Kind::send ? 1 : 0;
  return sends;
}

std::vector<std::uint32_t> TreeSchedule::downwards() const {
  std::vector<std::uint32_t> order;
  order.reserve(members);
  for (std::uint32_t x = 0; x < members && order.empty(); ++x)
    if (node(x).parent == none) order.push_back(x);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node at = node(order[i]);
    for (const std::int32_t child : {at.left, at.right})
      if (child != none) order.push_back(static_cast<std::uint32_t>(child));
  }
  return order;
}

}  // namespace orrery::core
