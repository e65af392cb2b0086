// Chooses the lane of a port that sends next: InfiniBand's arbitration by two tables (InfiniBand
// Architecture, volume 1, section 7.6.9).
//
// Entries of a table have turns in its order, each until it has sent its weight in blocks; the packet that
// exceeds the weight still goes. The high table is first until it has sent its limit while the low one waits.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "network/packet/settings/credit_settings.hpp"

namespace orrery::core {

class LaneTables {
 public:
  explicit LaneTables(const CreditSettings& settings);

  // Returns the turns of a table. There are a high table and a low one.
  const std::vector<LaneTurn>& turns(std::size_t table) const { return turns_[table]; }
  unsigned lanes(std::size_t table) const { return lanes_[table]; }
  std::int64_t high_limit() const { return high_limit_; }

 private:
  std::array<std::vector<LaneTurn>, 2> turns_;
  std::array<unsigned, 2> lanes_{};  // a bit per lane
  std::int64_t high_limit_;          // blocks
};

// The state of a port.
class LaneArbiter {
 public:
  // Returns the lane whose turn it is. `ready` has a bit per lane that can send. There is at least one, and
  // all of them are in the tables.
  int choose(const LaneTables& tables, unsigned ready);
  // Says how much the lane that was chosen last has sent.
  void sent(const LaneTables& tables, std::uint64_t blocks);

 private:
  struct Turn {
    std::size_t entry = 0;
    std::int64_t left = 0;  // blocks
    bool begun = false;
  };

  std::array<Turn, 2> turns_;
  std::size_t table_ = 1;       // table that had the last turn
  std::int64_t high_sent_ = 0;  // blocks sent since the low table had a turn
};

}  // namespace orrery::core
