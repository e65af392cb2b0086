#include "events/rank_timers.hpp"

namespace orrery {

RankTimers::RankTimers(EventLoop& loop, int ranks)
    : loop_(loop), handler_(loop.add_handler(*this)), latest_(static_cast<std::size_t>(ranks), none) {}

std::uint32_t RankTimers::grow() {
  lists_.emplace_back();
  return static_cast<std::uint32_t>(lists_.size() - 1);
}

Event& RankTimers::append(List& list) {
  std::uint32_t node = free_node_;
  if (node == none) {
    node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_node_ = nodes_[node].next;
  }
  nodes_[node].next = none;
  (list.more == none ? list.more : nodes_[list.last].next) = node;
  list.last = node;
  return nodes_[node].callback;
}

void RankTimers::handle(const Event& event) {
  const std::uint32_t list = event.object;
  Event callback = lists_[list].callback;
  loop_.dispatch(callback);
  // Call-backs may join the list while it runs, so its end is looked at only after each of them.
  for (std::uint32_t node = lists_[list].more; node != none;) {
    callback = nodes_[node].callback;
    loop_.dispatch(callback);
    const std::uint32_t next = nodes_[node].next;
    nodes_[node].next = free_node_;
    free_node_ = node;
    node = next;
  }
  close(event.rank, list);
}

void RankTimers::close(std::uint32_t rank, std::uint32_t list) {
  const std::uint32_t earlier = lists_[list].earlier, later = lists_[list].later;
  (later == none ? latest_[rank] : lists_[later].earlier) = earlier;
  if (earlier != none) lists_[earlier].later = later;
  lists_[list].earlier = free_list_;
  free_list_ = list;
}

}  // namespace orrery
