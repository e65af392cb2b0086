#include "events/rank_timers.hpp"

namespace orrery::core {

RankTimers::RankTimers(EventLoop& loop, int ranks)
    : loop_(loop), handler_(loop.add_handler(*this)), latest_(static_cast<std::size_t>(ranks), none) {}

void RankTimers::grow() {
  free_list_ = static_cast<std::uint32_t>(lists_.size());
  lists_.emplace_back().earlier = none;
}

// Registers a call-back if the clock counts real times: these join by whole nanosecond.
void RankTimers::after_real(ClassId of_class, Time delay, Event callback) {
  const Stamp due = loop_.clock().add(loop_.now(), loop_.clock().span(delay));
  at(of_class, due, (loop_.time() + delay).ps(), callback);
}

void RankTimers::append(List& list, Event callback) {
  std::uint32_t node = free_node_;
  if (node == none) {
    node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_node_ = nodes_[node].next;
  }
  nodes_[node] = {callback, none};
  (list.more == none ? list.more : nodes_[list.last].next) = node;
  list.last = node;
  last_at_work_ = ClassId::none;  // in case that it is this list
}

void RankTimers::handle(const Event& event) {
  const ClassId of_class(event.rank);
  const std::uint32_t number = event.object;
  const Event callback = lists_[number].callback;
  if (lists_[number].more == none) last_at_work_ = of_class;
  loop_.dispatch(callback);
  // Call-backs may join the list while it runs, so its end is looked at only after each of them.
  if (lists_[number].more != none) run_more(of_class, number);
  last_at_work_ = ClassId::none;
  close(of_class, number);
}

void RankTimers::run_more(ClassId of_class, std::uint32_t list) {
  for (std::uint32_t node = lists_[list].more; node != none;) {
    const Event callback = nodes_[node].callback;
    last_at_work_ = nodes_[node].next == none ? of_class : ClassId::none;
    loop_.dispatch(callback);
    const std::uint32_t next = nodes_[node].next;
    nodes_[node].next = free_node_;
    free_node_ = node;
    node = next;
  }
}

void RankTimers::close(ClassId of_class, std::uint32_t number) {
  const List& list = lists_[number];
  (list.later == none ? latest_[of_class.index()] : lists_[list.later].earlier) = list.earlier;
  if (list.earlier != none) lists_[list.earlier].later = list.later;
  lists_[number].earlier = std::exchange(free_list_, number);
}

}  // namespace orrery::core
