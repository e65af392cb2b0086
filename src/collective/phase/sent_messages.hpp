// Says what one member of a group sends in a phase.
#pragma once

#include <algorithm>
#include <cstdint>

#include "collective/algorithms/schedule.hpp"

namespace orrery::core {

// Calls visit(to, from, bytes, messages) for each kind of message that position x of `members` sends: that
// many go to position `to`, while x receives as many from position `from`. This is for phases in which
// members do alike.
template <class Visit>
void visit_messages(const Schedule& schedule, std::uint32_t members, std::uint32_t x, const Visit& visit) {
  if (const auto* tree = std::get_if<TreeSchedule>(&schedule)) {
    const TreeSchedule::Node node = tree->node(x);
    for (const std::int32_t position : {node.parent, node.left, node.right}) {
      const auto neighbour = static_cast<std::uint32_t>(position);
      if (position != TreeSchedule::none) visit(neighbour, neighbour, tree->bytes, std::uint64_t{1});
    }
    return;
  }
  const auto& exchange = std::get<ExchangeSchedule>(schedule);
  const std::uint64_t kinds = exchange.steps.size();
  for (std::uint64_t kind = 0; kind < std::min(kinds, exchange.messages); ++kind) {
    const auto& [amount, bytes] = exchange.steps[kind];
    visit(ExchangeSchedule::receiver(exchange.peer, x, amount, members),
          ExchangeSchedule::sender(exchange.peer, x, amount, members), bytes,
          (exchange.messages + kinds - 1 - kind) / kinds);
  }
}

}  // namespace orrery::core
