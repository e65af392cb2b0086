#include "collective/tie_watch.hpp"

#include <fmt/format.h>

#include "collective/order_matters.hpp"

namespace orrery {

namespace {

bool same_queue(const PhasePlan* a, const PhasePlan* b) {
  return a && b && a->dimension == b->dimension && a->queue == b->queue;
}

// Two chunks that leave the same queue let the same ones in, in either order; who enters a queue that another
// leaves, or enters too, may be put before or behind it.
bool share_a_queue(const PhasePlan* from, const PhasePlan* to, const PhasePlan* other_from,
                   const PhasePlan* other_to) {
  return same_queue(to, other_to) || same_queue(to, other_from) || same_queue(from, other_to);
}

}  // namespace

void TieWatch::begin_instant(Time now) {
  if (now == now_) return;
  now_ = now;
  moves_.clear();
  starts_.clear();
}

void TieWatch::moves(Time now, std::uint32_t chunk, const ChunkPlan& plan, std::uint32_t phase,
                     Time started) {
  begin_instant(now);
  const bool last = phase + 1 == plan.phases.size();
  add({chunk, &plan.phases[phase], last ? nullptr : &plan.phases[phase + 1], started, doubtful_[chunk]});
}

void TieWatch::issued(Time now, std::uint32_t chunk, const ChunkPlan& plan) {
  begin_instant(now);
  if (chunk >= doubtful_.size()) doubtful_.resize(chunk + 1);
  add({chunk, nullptr, &plan.phases[0], now, false});
}

void TieWatch::starts(Time now, std::uint32_t chunk, const PhaseShape& shape) {
  begin_instant(now);
  const Start start{chunk, timelines_.of(shape, 0).course, moves_.size() - 1};
  doubtful_[chunk] = false;
  for (const Start& other : starts_) {
    if (other.course != start.course || other.cause == start.cause) continue;
    if (!ordered(moves_[other.cause], moves_[start.cause])) doubtful_[chunk] = doubtful_[other.chunk] = true;
  }
  starts_.push_back(start);
}

void TieWatch::add(const Move& move) {
  for (const Move& other : moves_) {
    if (!share_a_queue(move.from, move.to, other.from, other.to) || ordered(other, move)) continue;
    throw OrderMatters(fmt::format("at {} us chunks {} and {} share a queue and {} in the same instant",
                                   now_.us(), other.chunk, move.chunk,
                                   move.from && other.from ? "move on" : "move on and are issued"));
  }
  moves_.push_back(move);
}

bool TieWatch::ordered(const Move& a, const Move& b) {
  if (!a.from && !b.from) return true;  // one program issues both
  if (!a.from || !b.from) return false;
  const PhaseTimeline &of_a = timelines_.of(*a.from->shape, 0), &of_b = timelines_.of(*b.from->shape, 0);
  if (of_a.course == of_b.course && a.started == b.started && !a.doubtful && !b.doubtful) return true;
  const PhaseTimeline::LastMessage &last_a = of_a.last, &last_b = of_b.last;
  const bool take_time =
      endpoint_delay_ > Time() && last_a.arrived > last_a.sent && last_b.arrived > last_b.sent;
  if (!last_a.known || !last_b.known || !take_time) return false;
  const auto registered = [&](const PhaseTimeline::LastMessage& last) {
    return now_ - (last.reduces ? last.reduction : endpoint_delay_);
  };
  if (registered(last_a) != registered(last_b)) return true;
  if (last_a.reduces != last_b.reduces) return false;
  return a.started.ps() + last_a.sent != b.started.ps() + last_b.sent;
}

}  // namespace orrery
