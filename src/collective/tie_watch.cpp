#include "collective/tie_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "collective/order_matters.hpp"

namespace orrery {

namespace {

ChunkQueue::Item item_of(std::uint32_t chunk, const ChunkInfo& info, std::size_t phase) {
  const std::vector<PhasePlan>& phases = info.plan->phases;
  return {chunk, info.priority, phases[phase].input, phases[phase].kind,
          static_cast<std::uint16_t>(phases.size() - 1 - phase)};
}

}  // namespace

void TieWatch::begin_instant(Time now) {
  if (now == now_) return;
  close_instant();
  now_ = now;
}

void TieWatch::moves(Time now, std::uint32_t chunk, const ChunkInfo& info, std::uint32_t phase,
                     Time started) {
  begin_instant(now);
  const std::vector<PhasePlan>& phases = info.plan->phases;
  Move move{chunk, &phases[phase], nullptr, started, doubtful_[chunk], item_of(chunk, info, phase)};
  if (phase + 1 < phases.size()) {
    move.to = &phases[phase + 1];
    move.enters = item_of(chunk, info, phase + 1);
  }
  moves_.push_back(move);
}

void TieWatch::issued(Time now, std::uint32_t chunk, const ChunkInfo& info) {
  begin_instant(now);
  if (chunk >= doubtful_.size()) doubtful_.resize(chunk + 1);
  moves_.push_back({chunk, nullptr, &info.plan->phases[0], now, false, item_of(chunk, info, 0)});
}

// Which of two chunks in different queues starts first is known where one program issues both.
void TieWatch::starts(Time now, std::uint32_t chunk, const PhasePlan& phase) {
  begin_instant(now);
  const Start start{chunk, timelines_.course_of(*phase.shape), key_of(phase), moves_.size() - 1};
  doubtful_[chunk] = false;
  for (const Start& other : starts_) {
    if (other.course != start.course || other.queue == start.queue || other.cause == start.cause) continue;
    if (!moves_[other.cause].from && !moves_[start.cause].from) continue;
    doubtful_[chunk] = doubtful_[other.chunk] = true;
  }
  starts_.push_back(start);
}

void TieWatch::close_instant() {
  std::map<QueueKey, Order> touching;
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    if (moves_[i].from) touching[key_of(*moves_[i].from)].push_back(i);
    if (moves_[i].to && (!moves_[i].from || key_of(*moves_[i].to) != key_of(*moves_[i].from)))
      touching[key_of(*moves_[i].to)].push_back(i);
  }
  for (const auto& [key, order] : touching) {
    if (order.size() > 1) check_orders(key, order);
    Outcome outcome{std::move(queues_[key]), {}};
    for (std::size_t move : order) apply(move, key, outcome);
    queues_[key] = std::move(outcome.queue);
  }
  moves_.clear();
  starts_.clear();
}

void TieWatch::check_orders(QueueKey key, const Order& touching) {
  constexpr std::size_t most_orders = 120, most_moves = 16;
  const auto issued = [&](std::size_t move) { return !moves_[move].from; };
  if (std::all_of(touching.begin(), touching.end(), issued)) return;
  if (touching.size() > most_moves) {  // too many orders to try, unless there is but one
    if (any_may_swap(touching)) give_up(touching);
    return;
  }
  const std::vector<Order> orders = possible_orders(touching, most_orders + 1);
  if (orders.size() == 1) return;
  const bool at_once = std::any_of(touching.begin(), touching.end(), [&](std::size_t move) {
    return moves_[move].from && moves_[move].started == now_;  // a phase that takes no time
  });
  if (orders.size() > most_orders || at_once) give_up(touching);
  std::optional<Outcome> first;
  for (const Order& order : orders) {
    Outcome outcome{queues_[key], {}};
    for (std::size_t move : order) apply(move, key, outcome);
    if (!first)
      first = std::move(outcome);
    else if (!(*first == outcome))
      give_up(touching);
  }
}

bool TieWatch::any_may_swap(const Order& touching) {
  for (std::size_t later = 0; later < touching.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier)
      if (may_swap(moves_[touching[earlier]], moves_[touching[later]])) return true;
  }
  return false;
}

std::vector<TieWatch::Order> TieWatch::possible_orders(const Order& touching, std::size_t most) {
  const std::size_t count = touching.size();
  std::vector<std::vector<bool>> fixed(count, std::vector<bool>(count));  // [later][earlier]
  for (std::size_t later = 0; later < count; ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier)
      fixed[later][earlier] = !may_swap(moves_[touching[earlier]], moves_[touching[later]]);
  }
  std::vector<Order> orders;
  Order order;
  std::vector<bool> placed(count);
  const std::function<void()> extend = [&] {
    if (orders.size() == most) return;
    if (order.size() == count) orders.push_back(order);
    for (std::size_t next = 0; next < count; ++next) {
      if (placed[next]) continue;
      bool waits = false;
      for (std::size_t earlier = 0; earlier < next; ++earlier)
        waits = waits || (fixed[next][earlier] && !placed[earlier]);
      if (waits) continue;
      placed[next] = true;
      order.push_back(touching[next]);
      extend();
      order.pop_back();
      placed[next] = false;
    }
  };
  extend();
  return orders;
}

// As MachineBarrierFlow::move() does it.
void TieWatch::apply(std::size_t number, QueueKey key, Outcome& outcome) const {
  const Move& move = moves_[number];
  const bool leaves = move.from && key_of(*move.from) == key, enters = move.to && key_of(*move.to) == key;
  if (leaves) outcome.queue.remove(move.chunk);
  if (enters) outcome.queue.insert(move.enters, rules_.order);
  if (leaves) outcome.queue.free_slot();
  while (auto chunk = outcome.queue.start_next(rules_.slots)) outcome.started.push_back(*chunk);
}

void TieWatch::give_up(const Order& touching) const {
  bool issue = false;
  std::vector<std::uint32_t> chunks;
  for (std::size_t move : touching) {
    issue = issue || !moves_[move].from;
    chunks.push_back(moves_[move].chunk);
  }
  constexpr std::size_t most_named = 4;
  const bool more = chunks.size() > most_named;
  chunks.resize(std::min(chunks.size(), most_named));
  throw OrderMatters(fmt::format(
      "at {} us chunks {}{} meet in a queue: they {} in the same instant, and which of "
      "them is first depends on the rank",
      now_.us(), fmt::join(chunks, ", "), more ? ", ..." : "", issue ? "move on or are issued" : "move on"));
}

bool TieWatch::may_swap(const Move& a, const Move& b) {
  if (a.chunk == b.chunk) return false;
  if (!a.from && !b.from) return false;  // one program issues both
  if (!a.from || !b.from) return true;
  const PhaseTimeline &of_a = timelines_.of(*a.from->shape, 0), &of_b = timelines_.of(*b.from->shape, 0);
  const bool in_step =
      timelines_.course_of(*a.from->shape) == timelines_.course_of(*b.from->shape) && a.started == b.started;
  if (in_step && !a.doubtful && !b.doubtful) return false;
  const PhaseTimeline::LastMessage &last_a = of_a.last, &last_b = of_b.last;
  const bool take_time =
      endpoint_delay_ > Time() && last_a.arrived > last_a.sent && last_b.arrived > last_b.sent;
  if (!last_a.known || !last_b.known || !take_time) return true;
  const auto registered = [&](const PhaseTimeline::LastMessage& last) {
    return now_ - (last.reduces ? last.reduction : endpoint_delay_);
  };
  if (registered(last_a) != registered(last_b)) return false;
  if (last_a.reduces != last_b.reduces) return true;
  return a.started.ps() + last_a.sent == b.started.ps() + last_b.sent;
}

}  // namespace orrery
