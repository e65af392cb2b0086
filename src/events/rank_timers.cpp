#include "events/rank_timers.hpp"

#include <algorithm>

namespace orrery {

RankTimers::RankTimers(EventLoop& loop, int ranks)
    : loop_(loop), handler_(loop.add_handler(*this)), lists_(static_cast<std::size_t>(ranks)) {}

std::uint32_t RankTimers::new_node(const Event& callback) {
  if (free_ == none) {
    nodes_.push_back({callback, none});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  std::uint32_t node = free_;
  free_ = nodes_[node].next;
  nodes_[node] = {callback, none};
  return node;
}

void RankTimers::after(std::uint32_t rank, Time delay, const Event& callback) {
  const Stamp due = loop_.clock().add(loop_.now(), loop_.clock().span(delay));
  std::uint32_t node = new_node(callback);
  std::int64_t tick = (loop_.time() + delay).ps();
  for (List& list : lists_[rank]) {
    if (list.tick != tick) continue;
    nodes_[list.last].next = node;
    list.last = node;
    return;
  }
  lists_[rank].push_back({tick, node, node});
  // The event carries the tick it stands for, split over its two spare fields.
  auto bits = static_cast<std::uint64_t>(tick);
  loop_.at(due, Event{handler_, 0, rank, static_cast<std::uint32_t>(bits >> 32),
                      static_cast<std::uint32_t>(bits)});
}

void RankTimers::handle(const Event& event) {
  auto tick = static_cast<std::int64_t>((static_cast<std::uint64_t>(event.object) << 32) | event.extra);
  auto is_this = [tick](const List& list) { return list.tick == tick; };
  std::vector<List>& lists = lists_[event.rank];
  std::uint32_t node = std::find_if(lists.begin(), lists.end(), is_this)->first;
  // Call-backs may join the list while it runs, so its end is looked at only after each of them.
  while (node != none) {
    Event callback = nodes_[node].callback;
    loop_.dispatch(callback);
    std::uint32_t next = nodes_[node].next;
    if (next == none) lists.erase(std::find_if(lists.begin(), lists.end(), is_this));
    nodes_[node].next = free_;
    free_ = node;
    node = next;
  }
}

}  // namespace orrery
