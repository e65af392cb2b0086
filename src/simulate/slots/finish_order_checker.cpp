#include "simulate/slots/finish_order_checker.hpp"

#include <algorithm>

#include "collective/phase/ambiguous_event_order.hpp"

namespace orrery::core {

void FinishOrderChecker::finishes(RankId rank, Time now, std::size_t slot, const Waiting& waiting,
                                  const std::array<bool, slots>& occupied) {
  Instant& instant = ranks_[rank.index()];
  if (instant.at != now) {
    check(instant);
    instant = {};
    instant.at = now;
    for (std::size_t s = 0; s < slots; ++s) {
      instant.of[s].occupied = occupied[s];
      instant.of[s].first = waiting[s];
    }
  }
  if (instant.finishes < 2) ++instant.finishes;
  instant.slot = static_cast<std::uint8_t>(slot);
  instant.freed = {};
  if (slot != no_slot) instant.of[slot].vacated = true;
}

void FinishOrderChecker::frees(RankId rank, Time now, std::uint32_t operation, std::size_t slot) {
  Instant& instant = ranks_[rank.index()];
  if (instant.at != now) return;
  Slot& of = instant.of[slot];
  const bool vacates = slot == instant.slot && slot != no_slot;
  std::uint32_t& first = vacates ? of.first : of.first_of_others;
  first = std::min(first, operation);
  if (vacates || instant.freed[slot]) return;
  instant.freed[slot] = true;
  if (of.others < 2) ++of.others;
}

void FinishOrderChecker::issues(RankId rank, Time now, std::size_t slot) {
  Instant& instant = ranks_[rank.index()];
  if (instant.at == now && instant.of[slot].issued < 2) ++instant.of[slot].issued;
}

void FinishOrderChecker::skips(RankId rank, Time now) {
  if (ranks_[rank.index()].at == now) ranks_[rank.index()].skips = true;
}

// The operation that vacates a slot issues the first operation that waits for it, including its own children.
// In another order it would issue another one if somebody else frees an operation that comes before. A slot
// that is free takes the operation that is freed first.
void FinishOrderChecker::check(const Instant& instant) {
  if (instant.finishes < 2) return;
  bool matters = instant.skips || instant.of[no_slot].others > 1;
  for (std::size_t s = 0; s < slots; ++s) {
    const Slot& slot = instant.of[s];
    if (slot.issued > 1) matters = true;
    if (slot.vacated && slot.first != no_operation) {
      matters = matters || slot.first_of_others < slot.first;
    } else if (slot.vacated || !slot.occupied) {
      matters = matters || slot.others > 1;
    }
  }
  if (matters)
    throw AmbiguousEventOrder("several operations of a rank finish in the same instant and free others");
}

void FinishOrderChecker::end() const {
  std::ranges::for_each(ranks_, check);
}

}  // namespace orrery::core
