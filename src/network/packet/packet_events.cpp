#include "network/packet/packet_events.hpp"

#include <utility>

namespace orrery {

// Returns the first interval after the open one that has events in the wheel; `never` where none has.
Stamp PacketEvents::next_interval() const {
  const auto start = static_cast<std::size_t>(current_ + 1) % slots;
  constexpr std::size_t words = slots / 64;
  std::size_t word = start / 64;
  std::uint64_t bits = used_[word] & (~std::uint64_t{0} << (start % 64));
  for (std::size_t i = 0; i <= words; ++i) {
    if (bits != 0) {
      const std::size_t slot = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      return current_ + 1 + static_cast<Stamp>((slot + slots - start) % slots);
    }
    word = (word + 1) % words;
    bits = used_[word];
  }
  return never;
}

void PacketEvents::extend(List& list, std::size_t slot) {
  if (free_ == none) {
    free_ = static_cast<std::uint32_t>(chunks_.size());
    chunks_.emplace_back();
  }
  const std::uint32_t number = free_;
  Chunk& chunk = chunks_[number];
  free_ = chunk.next;
  chunk.count = 0;
  chunk.next = none;
  if (list.last == none)
    list.first = number;
  else
    chunks_[list.last].next = number;
  list.last = number;
  used_[slot / 64] |= std::uint64_t{1} << (slot % 64);
}

// Moves the events of an interval behind `events`.
void PacketEvents::empty(std::size_t slot, std::vector<PacketEvent>& events) {
  for (std::uint32_t number = lists_[slot].first; number != none;) {
    Chunk& chunk = chunks_[number];
    events.insert(events.end(), chunk.events.begin(), chunk.events.begin() + chunk.count);
    number = std::exchange(chunk.next, std::exchange(free_, number));
  }
  lists_[slot] = List();
  used_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
}

void PacketEvents::go_back(Stamp interval) {
  std::vector<PacketEvent> later(open_.begin() + static_cast<std::ptrdiff_t>(position_), open_.end());
  open_.clear();
  position_ = 0;
  // The wheel ends sooner now.
  const Stamp end = interval + static_cast<Stamp>(slots);
  for (std::size_t word = 0; word < used_.size(); ++word)
    for (std::uint64_t bits = used_[word]; bits != 0; bits &= bits - 1) {
      const std::size_t slot = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      if (chunks_[lists_[slot].first].events[0].at >> width_bits_ >= end) empty(slot, later);
    }
  current_ = interval;
  for (const PacketEvent& event : later) put_away(event.at >> width_bits_, event);
}

bool PacketEvents::open_next() {
  if (size_ == 0) return false;
  open_.clear();
  position_ = 0;
  current_ = std::min(next_interval(), far_.empty() ? never : far_.front().at >> width_bits_);
  while (!far_.empty() && far_.front().at >> width_bits_ == current_) {
    std::ranges::pop_heap(far_, after);
    open_.push_back(far_.back());
    far_.pop_back();
  }
  empty(static_cast<std::size_t>(current_) % slots, open_);
  // The list is in the order of its making, which is that of the numbers for the most part.
  constexpr std::size_t few = 24;
  if (open_.size() > few) {
    std::ranges::sort(open_, before);
    return true;
  }
  for (std::size_t i = 1; i < open_.size(); ++i) {
    const PacketEvent event = open_[i];
    std::size_t to = i;
    for (; to > 0 && before(event, open_[to - 1]); --to) open_[to] = open_[to - 1];
    open_[to] = event;
  }
  return true;
}

}  // namespace orrery
