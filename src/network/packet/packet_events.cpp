#include "network/packet/packet_events.hpp"

namespace orrery {
namespace {

// Has the heap's functions hold it, as they call a function through its address.
constexpr auto comes_after = [](const PacketEvent& a, const PacketEvent& b) { return b.before(a); };

}  // namespace

void PacketEvents::Lane::grow() {
  constexpr std::size_t least = 16;
  std::vector<PacketEvent> larger(std::max(least, 2 * ring_.size()));
  const std::uint32_t count = size();
  for (std::uint32_t i = 0; i < count; ++i) larger[i] = ring_[(begin_ + i) & mask_];
  ring_ = std::move(larger);
  mask_ = static_cast<std::uint32_t>(ring_.size() - 1);
  begin_ = 0;
  end_ = count;
}

void PacketEvents::push_apart(const PacketEvent& event) {
  apart_.push_back(event);
  std::ranges::push_heap(apart_, comes_after);
}

// A distance that comes again gets a lane, unless its place has a lane that is in use.
void PacketEvents::expect(Stamp distance) {
  Place& place = places_[place_of(distance)];
  if (place.candidate != distance) {
    place.candidate = distance;
    return;
  }
  if (place.distance < 0) {
    place.lane = &lanes_.emplace_back();
  } else if (place.lane->size() > 0) {
    return;
  }
  place.distance = distance;
}

PacketEvent PacketEvents::pop_apart() {
  std::ranges::pop_heap(apart_, comes_after);
  const PacketEvent event = apart_.back();
  apart_.pop_back();
  now_ = event.at;
  return event;
}

void PacketEvents::add_first(First first) {
  firsts_.push_back(first);
  std::size_t place = firsts_.size() - 1;
  for (std::size_t above = 0; place > 0 && first.before(firsts_[above = (place - 1) / 2]); place = above)
    firsts_[place] = firsts_[above];
  firsts_[place] = first;
}

void PacketEvents::remove_first() {
  const First last = firsts_.back();
  firsts_.pop_back();
  if (!firsts_.empty()) sink(last.at, last.order_and_what, last.lane);
}

// Puts a first event in the place of the least one.
void PacketEvents::sink(Stamp at, std::uint64_t order_and_what, Lane* lane) {
  const First first{at, order_and_what, lane};
  std::size_t place = 0;
  for (std::size_t below = 1; below < firsts_.size(); below = 2 * place + 1) {
    if (below + 1 < firsts_.size() && firsts_[below + 1].before(firsts_[below])) ++below;
    if (!firsts_[below].before(first)) break;
    firsts_[place] = firsts_[below];
    place = below;
  }
  firsts_[place] = first;
}

}  // namespace orrery
