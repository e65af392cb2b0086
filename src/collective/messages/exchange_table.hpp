// An exchange in the form in which it is run message by message: what is the same for all members and
// messages is worked out once.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/plan/plan.hpp"

namespace orrery::core {

struct ExchangeTable {
  static constexpr Stamp depends_on_members = -1;
  struct Step {
    std::uint32_t amount;
    Bytes bytes;
    Stamp duration;  // of a message, or depends_on_members
    Time reduction;
  };

  // Requires the shape of an exchange.
  explicit ExchangeTable(const PhaseShape& shape);

  // Returns the step of message or preparation k.
  const Step& step(std::uint32_t k) const { return steps[period == 1 ? 0 : k % period]; }

  bool reduces(std::uint32_t preparation) const { return !reducing.empty() && reducing[preparation]; }

  // receiver() returns the rank that a member at `position` sends to, sender() the one that it receives from.
  RankId receiver(RankId rank, std::uint32_t position, const Step& step) const {
    if (exclusive_or) return partner(rank, position, step);
    const std::uint32_t ahead = position + step.amount;
    return RankId(rank.value() + ((ahead < size ? ahead : ahead - size) - position) * stride);
  }
  RankId sender(RankId rank, std::uint32_t position, const Step& step) const {
    if (exclusive_or) return partner(rank, position, step);
    const std::uint32_t behind = position < step.amount ? position + size : position;
    return RankId(rank.value() + (behind - step.amount - position) * stride);
  }

  std::uint32_t ungated() const { return ungated_; }

  std::uint32_t messages;  // as in the schedule, like the next two
  std::uint32_t in_flight;
  std::uint32_t gate;
  bool exclusive_or;
  std::uint32_t size, stride;
  std::uint32_t period;  // number of steps after which they repeat
  std::vector<Step> steps;
  std::vector<std::uint8_t>
      reducing;  // by preparation, since a division for each would cost too much; or empty

 private:
  std::uint32_t ungated_;  // messages - gate, which would be subtracted for every message
  RankId partner(RankId rank, std::uint32_t position, const Step& step) const {
    return RankId(rank.value() + ((position ^ step.amount) - position) * stride);
  }
};

}  // namespace orrery::core
