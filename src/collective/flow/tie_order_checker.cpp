#include "collective/flow/tie_order_checker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collective/phase/ambiguous_event_order.hpp"

namespace orrery::core {

namespace {

ChunkQueue::Item item_of(std::uint32_t chunk, const ChunkInfo& info, std::size_t phase) {
  const std::vector<PhasePlan>& phases = info.plan->phases;
  return {chunk, info.priority, phases[phase].input, phases[phase].kind,
          static_cast<std::uint16_t>(phases.size() - 1 - phase)};
}

}  // namespace

void TieOrderChecker::begin_instant(Time now) {
  if (now == now_) return;
  close_instant();
  now_ = now;
}

void TieOrderChecker::moves(Time now, std::uint32_t chunk, const ChunkInfo& info, std::uint32_t phase,
                            Time started) {
  begin_instant(now);
  const std::vector<PhasePlan>& phases = info.plan->phases;
  Move move{chunk, &phases[phase], nullptr, started, {}};
  if (phase + 1 < phases.size()) {
    move.to = &phases[phase + 1];
    move.enters = item_of(chunk, info, phase + 1);
  }
  moves_.push_back(move);
}

void TieOrderChecker::issued(Time now, std::uint32_t chunk, const ChunkInfo& info) {
  begin_instant(now);
  moves_.push_back({chunk, nullptr, &info.plan->phases[0], now, item_of(chunk, info, 0)});
}

void TieOrderChecker::close_instant() {
  std::map<QueueKey, Order> touching;
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    if (moves_[i].from) touching[key_of(*moves_[i].from)].push_back(i);
    if (moves_[i].to && (!moves_[i].from || key_of(*moves_[i].to) != key_of(*moves_[i].from)))
      touching[key_of(*moves_[i].to)].push_back(i);
  }
  for (const auto& [key, order] : touching) {
    check_orders(key, order);
    ChunkQueue& queue = queues_[key];
    for (const std::size_t number : order) apply(moves_[number], key, queue, [](std::uint32_t) {});
  }
  moves_.clear();
}

void TieOrderChecker::check_orders(QueueKey key, const Order& touching) {
  constexpr std::size_t max_moves = 6;  // so many that all 720 orders can be tried
  const auto may_swap_next = [&](std::size_t a, std::size_t b) { return may_swap(moves_[a], moves_[b]); };
  if (std::adjacent_find(touching.begin(), touching.end(), may_swap_next) == touching.end()) return;
  const auto at_once = [&](std::size_t move) {  // a phase that takes no time
    return moves_[move].from && moves_[move].started == now_;
  };
  if (touching.size() > max_moves || std::any_of(touching.begin(), touching.end(), at_once))
    give_up(touching);
  const Outcome expected = outcome_of(touching, key);
  Order order = touching;
  while (std::next_permutation(order.begin(), order.end()))
    if (is_possible(order) && !(outcome_of(order, key) == expected)) give_up(touching);
}

bool TieOrderChecker::is_possible(const Order& order) const {
  for (std::size_t later = 1; later < order.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const std::size_t a = order[later], b = order[earlier];
      if (a < b && !may_swap(moves_[a], moves_[b])) return false;
    }
  }
  return true;
}

// Decides by the rule of MachineBarrier::move().
template <class Started>
void TieOrderChecker::apply(const Move& move, QueueKey key, ChunkQueue& queue, const Started& started) const {
  const bool leaves = move.from && key_of(*move.from) == key, enters = move.to && key_of(*move.to) == key;
  if (leaves) queue.remove(move.chunk);
  if (enters) queue.insert(move.enters, rules_.order);
  if (leaves) queue.free_slot();
  while (const auto chunk = queue.start_next(rules_.slots)) started(*chunk);
}

TieOrderChecker::Outcome TieOrderChecker::outcome_of(const Order& order, QueueKey key) {
  Outcome outcome{queues_[key], {}};
  for (const std::size_t number : order)
    apply(moves_[number], key, outcome.queue, [&](std::uint32_t chunk) { outcome.started.push_back(chunk); });
  return outcome;
}

void TieOrderChecker::give_up(const Order& touching) const {
  bool issue = false;
  std::vector<std::uint32_t> chunks;
  for (std::size_t move : touching) {
    issue = issue || !moves_[move].from;
    chunks.push_back(moves_[move].chunk);
  }
  constexpr std::size_t max_named = 4;
  const bool more = chunks.size() > max_named;
  chunks.resize(std::min(chunks.size(), max_named));
  throw AmbiguousEventOrder(fmt::format(
      "at {} us chunks {}{} meet in a queue: they {} in the same instant, and which of "
      "them is first depends on the rank",
      now_.us(), fmt::join(chunks, ", "), more ? ", ..." : "", issue ? "move on or are issued" : "move on"));
}

bool TieOrderChecker::may_swap(const Move& a, const Move& b) const {
  if (a.chunk == b.chunk) return false;
  if (!a.from || !b.from) return a.from || b.from;  // otherwise one program issues both
  const bool in_step = a.from->shape == b.from->shape && key_of(*a.from) == key_of(*b.from);
  if (in_step && a.started == b.started) return false;
  return !is_ordered_by_last_messages(a, b);
}

// Events of an instant happen in the order in which they were registered: the end of a phase when its last
// message arrived, or had passed the endpoint and was to be added to own data. Of ends that were registered
// in the same instant, by events of the same kind, the one comes first whose last message was sent first.
bool TieOrderChecker::is_ordered_by_last_messages(const Move& a, const Move& b) const {
  const std::optional<LastMessage> last_a = timelines_.last_of_all_groups(*a.from->shape),
                                   last_b = timelines_.last_of_all_groups(*b.from->shape);
  if (!last_a || !last_b || endpoint_delay_ == Time()) return false;
  if (last_a->sent == last_a->arrived || last_b->sent == last_b->arrived) return false;
  const auto registered = [&](const LastMessage& last) {
    return now_ - (last.reduction > 0 ? Time::from_ps(last.reduction) : endpoint_delay_);
  };
  if (registered(*last_a) != registered(*last_b)) return true;
  if ((last_a->reduction > 0) != (last_b->reduction > 0)) return false;
  return a.started + Time::from_ps(last_a->sent) != b.started + Time::from_ps(last_b->sent);
}

}  // namespace orrery::core
