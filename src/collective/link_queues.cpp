#include "collective/link_queues.hpp"

#include <algorithm>
#include <utility>

namespace orrery {
namespace {

bool share_a_link(const UsedLinks& a, const UsedLinks& b) {
  if (a.empty() || b.empty()) return true;
  return std::ranges::any_of(a, [&](std::uint32_t link) { return std::ranges::binary_search(b, link); });
}

bool are_of_one_group(const LinkTurn& a, const LinkTurn& b) {
  return a.members[0] == b.members[0] && a.shape->group == b.shape->group;
}

}  // namespace

template <class Visit>
void LinkQueues::visit_links(const LinkTurn& turn, Members members, const Visit& visit) {
  const int physical = turn.shape->group.physical;
  const std::size_t first = physical < 0 ? 0 : static_cast<std::size_t>(physical);
  const std::size_t end = physical < 0 ? dimensions_ : first + 1;
  for (const std::uint32_t member : members)
    for (std::size_t d = first; d < end; ++d) visit(under_way_[member * dimensions_ + d]);
}

template <class Visit>
void LinkQueues::visit_rivals(const LinkTurn& turn, Members members, const Visit& visit) {
  visit_links(turn, members, [&](const std::vector<Turn>& phases) {
    for (const Turn& phase : phases)
      if (phase.get() != &turn && share_a_link(*phase->used, *turn.used)) visit(phase);
  });
}

// Phases of one group are under way on the links of its first member.
std::pair<Stamp, std::uint64_t> LinkQueues::place_of(const LinkTurn& turn, Stamp now) {
  Stamp longest = turn.busy;
  visit_rivals(turn, turn.asked.first(1), [&](const Turn& rival) {
    if (rival->carried > now && are_of_one_group(*rival, turn))
      longest = std::max(longest, rival->place.first);
  });
  return {longest, ++turns_};
}

void LinkQueues::await(Behind& behind, const Turn& turn) {
  if (std::exchange(turn->looked_at, turns_) != turns_) behind.emplace(turn->place, turn);
}

LinkQueues::Behind LinkQueues::enqueue(const Turn& turn, Stamp now) {
  turn->place = place_of(*turn, now);
  turn->begin = now;
  Behind behind;
  visit_links(*turn, turn->asked, [&](std::vector<Turn>& phases) {
    std::erase_if(phases, [&](const Turn& phase) { return phase->carried <= now; });
    for (const Turn& rival : phases) {
      if (!share_a_link(*rival->used, *turn->used)) continue;
      if (rival->place < turn->place)
        turn->begin = std::max(turn->begin, rival->carried);
      else
        await(behind, rival);
    }
  });
  turn->carried = clock_.add(turn->begin, turn->busy);
  visit_links(*turn, turn->asked, [&](std::vector<Turn>& phases) { phases.push_back(turn); });
  return behind;
}

std::vector<LinkQueues::Turn> LinkQueues::add(const Turn& turn, Stamp now) {
  Behind behind = enqueue(turn, now);
  std::vector<Turn> moved;
  while (!behind.empty()) {
    const Turn next = behind.extract(behind.begin()).mapped();
    if (!move(*next, now)) continue;
    if (!std::exchange(next->moved, true)) moved.push_back(next);
    visit_rivals(*next, next->asked, [&](const Turn& rival) {
      if (rival->place > next->place && rival->carried > now) await(behind, rival);
    });
  }
  return moved;
}

bool LinkQueues::move(LinkTurn& turn, Stamp now) {
  const Stamp began = std::max(turn.begin, now), left = clock_.difference(turn.carried, began);
  Stamp begin = began;
  visit_rivals(turn, turn.asked, [&](const Turn& rival) {
    if (rival->place < turn.place) begin = std::max(begin, rival->carried);
  });
  if (begin == began) return false;
  turn.begin = begin;
  turn.carried = clock_.add(begin, left);
  return true;
}

}  // namespace orrery
