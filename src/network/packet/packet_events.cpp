#include "network/packet/packet_events.hpp"

#include <algorithm>

namespace orrery::core {
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

void PacketEvents::push_unexpected(Stamp at, std::uint64_t order_and_what, std::uint32_t object,
                                   std::uint32_t extra) {
  const Stamp distance = at - now_;
  const Place& place = places_[place_of(distance)];
  if (place.distance == distance && lanes_[place.lane].is_full()) {
    lanes_[place.lane].grow();
    return push(at, order_and_what, object, extra);
  }
  expect(distance);
  push_apart({at, order_and_what, object, extra});
}

void PacketEvents::push_apart(const PacketEvent& event) {
  apart_.push(event);
  if (event.order_and_what == apart_.first().order_and_what) play(apart, {event.at, event.order_and_what});
}

// A distance that keeps coming gets a lane, unless the lane at its place is in use.
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
  players_.emplace_back();
  const auto lanes = static_cast<std::uint32_t>(players_.size());
  winners_.resize(2 * players_.size());
  for (std::uint32_t lane = 0; lane < lanes; ++lane) winners_[lanes + lane] = lane;
  for (std::uint32_t game = lanes - 1; game > 0; --game) {
    const std::uint32_t one = winners_[2 * game], other = winners_[2 * game + 1];
    winners_[game] = players_[other].key() < players_[one].key() ? other : one;
  }
}

std::size_t PacketEvents::size() const {
  std::size_t size = apart_.size();
  for (const Lane& lane : lanes_) size += lane.size();
  return size;
}

PacketEvent PacketEvents::pop_apart() {
  const PacketEvent event = apart_.pop();
  now_ = event.at;
  play(apart, apart_.size() == 0 ? Player() : Player{apart_.first().at, apart_.first().order_and_what});
  return event;
}

}  // namespace orrery::core
