#include "collective/timelines/link_queues.hpp"

#include <algorithm>
#include <utility>

namespace orrery::core {
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
void LinkQueues::visit_links(const LinkTurn& turn, std::span<const ClassId> members, const Visit& visit) {
  const int physical = turn.shape->group.physical;
  const std::size_t first = physical < 0 ? 0 : static_cast<std::size_t>(physical);
  const std::size_t end = physical < 0 ? dimensions_ : first + 1;
  for (const ClassId member : members)
    for (std::size_t d = first; d < end; ++d) visit(under_way_[member.index() * dimensions_ + d]);
}

// Phases of one group are under way on the links of its first member.
std::pair<Stamp, std::uint64_t> LinkQueues::place_of(const LinkTurn& turn, Stamp now) {
  Stamp longest = turn.busy;
  visit_links(turn, turn.asked.first(1), [&](const Link& link) {
    for (const Carriage& rival : link)
      if (rival.carried > now && share_a_link(*rival.turn->used, *turn.used) &&
          are_of_one_group(*rival.turn, turn))
        longest = std::max(longest, rival.turn->place.first);
  });
  return {longest, ++turns_};
}

std::vector<LinkQueues::Turn> LinkQueues::add(const Turn& turn, Stamp now) {
  turn->place = place_of(*turn, now);
  turn->carried = now;
  std::vector<Turn> moved;
  visit_links(*turn, turn->asked, [&](Link& link) { add(link, turn, now, moved); });
  return moved;
}

void LinkQueues::add(Link& link, const Turn& turn, Stamp now, std::vector<Turn>& moved) const {
  std::erase_if(link, [&](const Carriage& one) { return one.carried <= now; });
  const auto behind =
      std::ranges::upper_bound(link, turn->place, {}, [](const Carriage& one) { return one.turn->place; });
  auto one = link.insert(behind, {turn, now, clock_.add(now, turn->busy)});
  for (; one != link.end(); ++one) {
    const Stamp began = std::max(one->begin, now), left = clock_.difference(one->carried, began);
    Stamp begin = began;
    for (auto before = link.begin(); before != one; ++before)
      if (share_a_link(*before->turn->used, *one->turn->used)) begin = std::max(begin, before->carried);
    if (begin == began && one->turn != turn) continue;
    one->begin = begin;
    one->carried = clock_.add(begin, left);
    if (one->carried <= one->turn->carried) continue;
    one->turn->carried = one->carried;
    if (one->turn != turn && !std::exchange(one->turn->moved, true)) moved.push_back(one->turn);
  }
}

}  // namespace orrery::core
