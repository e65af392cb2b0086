#include "collective/streams/rank_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "collective/phase/ambiguous_event_order.hpp"

namespace orrery::core {

std::uint32_t RankOrder::Origin::position(std::uint32_t receiver) const {
  return ExchangeSchedule::sender(peer, receiver, amount, static_cast<std::uint32_t>(dimension.size));
}

void RankOrder::scheduled(Stamp at) {
  std::vector<std::uint32_t>& batches = instants_[at].batches;
  if (batches.empty() || batches_[batches.back()].cause != present_) {
    batches.push_back(static_cast<std::uint32_t>(batches_.size()));
    batches_.push_back({present_, origin_});
    return;
  }
  if (batches_[batches.back()].origin != origin_)
    throw AmbiguousEventOrder("messages of different ranks arrive in the same instant");
  batches.push_back(batches.back());
}

void RankOrder::begins(Stamp now) {
  instants_.erase(instants_.begin(), instants_.lower_bound(now));
  Instant& instant = instants_[now];
  present_ = instant.batches[instant.begun++];
}

std::vector<RankId> RankOrder::ranks(std::uint32_t count) const {
  // Messages along one dimension change nothing in the others, so each can be looked at by itself.
  std::vector<std::pair<LogicalDimension, std::vector<std::uint32_t>>>
      places;  // by position: whose place it has
  for (std::uint32_t batch = present_; batch != none; batch = batches_[batch].cause) {
    const Origin& origin = batches_[batch].origin;
    if (origin.amount == 0) continue;
    auto found = std::ranges::find(places, origin.dimension, [](const auto& one) { return one.first; });
    if (found == places.end()) {
      places.emplace_back(origin.dimension,
                          std::vector<std::uint32_t>(static_cast<std::size_t>(origin.dimension.size)));
      found = places.end() - 1;
      std::iota(found->second.begin(), found->second.end(), 0u);
    }
    for (std::uint32_t& place : found->second) place = origin.position(place);
  }
  const auto spans_all = [&](const auto& one) { return one.first.size == static_cast<int>(count); };
  if (places.size() > 1 && std::ranges::any_of(places, spans_all))
    throw AmbiguousEventOrder("collectives run along dimensions and around the whole machine");

  std::vector<RankId> order(count);
  for (const RankId rank : first_ids<RankId>(count)) {
    std::uint32_t place = rank.value();
    for (const auto& [dimension, of_position] : places) {
      const auto position = static_cast<std::uint32_t>(dimension.position(npu_of(rank)));
      place += (of_position[position] - position) * static_cast<std::uint32_t>(dimension.stride);
    }
    order[place] = rank;
  }
  return order;
}

}  // namespace orrery::core
