#include "network/packet/packet_events.hpp"

#include <algorithm>

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
  if (event.order_and_what == apart_.front().order_and_what) play(apart, {event.at, event.order_and_what});
}

// A distance that keeps coming gets a lane, unless its place has a lane that is in use.
void PacketEvents::expect(Stamp distance) {
  Place& place = places_[place_of(distance)];
  if (place.candidate != distance) {
    place.candidate = distance;
    place.times = 0;
  }
  constexpr std::uint32_t enough = 16;
  if (++place.times < enough) return;
  if (place.distance < 0) {
    place.lane = static_cast<std::uint32_t>(lanes_.size());
    add_lane();
  } else if (lanes_[place.lane].size() > 0) {
    return;
  }
  place.distance = distance;
}

void PacketEvents::add_lane() {
  lanes_.emplace_back();
  if (lanes_.size() <= players_.size()) return;
  const auto lanes = static_cast<std::uint32_t>(2 * players_.size());
  players_.resize(lanes);
  winners_.resize(2 * players_.size());
  for (std::uint32_t lane = 0; lane < lanes; ++lane) winners_[lanes + lane] = lane;
  for (std::uint32_t game = lanes - 1; game > 0; --game) {
    const std::uint32_t one = winners_[2 * game], other = winners_[2 * game + 1];
    winners_[game] = players_[other].key() < players_[one].key() ? other : one;
  }
}

PacketEvent PacketEvents::pop_apart() {
  std::ranges::pop_heap(apart_, comes_after);
  const PacketEvent event = apart_.back();
  apart_.pop_back();
  now_ = event.at;
  if (apart_.empty())
    play(apart, {});
  else
    play(apart, {apart_.front().at, apart_.front().order_and_what});
  return event;
}

}  // namespace orrery
