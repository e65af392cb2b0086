#include "network/packet/flow_control/lane_arbiter.hpp"

#include <limits>

namespace orrery::core {
namespace {

constexpr std::size_t high_table = 0, low_table = 1;

}  // namespace

LaneTables::LaneTables(const CreditSettings& settings) : turns_{settings.high, settings.low} {
  if (settings.high.empty() && settings.low.empty())
    for (int lane = 1; lane <= max_lanes; ++lane) turns_[low_table].push_back({lane, 1});
  for (const std::size_t table : {high_table, low_table})
    for (const LaneTurn& turn : turns_[table]) lanes_[table] |= 1u << turn.lane;
  constexpr std::uint64_t no_limit = 255, unit = 4096;
  high_limit_ = settings.high_limit == no_limit
                    ? std::numeric_limits<std::int64_t>::max()
                    : static_cast<std::int64_t>(settings.high_limit * unit / credit_block);
}

int LaneArbiter::choose(const LaneTables& tables, unsigned ready) {
  const bool high_waits = (ready & tables.lanes(high_table)) != 0,
             low_waits = (ready & tables.lanes(low_table)) != 0;
  const bool may_go_on = high_sent_ == 0 || high_sent_ < tables.high_limit();
  table_ = high_waits && (!low_waits || may_go_on) ? high_table : low_table;
  const std::vector<LaneTurn>& turns = tables.turns(table_);
  Turn& turn = turns_[table_];
  for (;; ++turn.entry, turn.begun = false) {
    turn.entry %= turns.size();
    if (!turn.begun) turn.left = turns[turn.entry].weight;
    turn.begun = true;
    const int lane = turns[turn.entry].lane;
    if (turn.left > 0 && (ready >> lane & 1) != 0) return lane;
  }
}

void LaneArbiter::sent(const LaneTables& tables, std::uint64_t blocks) {
  turns_[table_].left -= static_cast<std::int64_t>(blocks);
  high_sent_ = table_ == high_table && tables.lanes(low_table) != 0
                   ? high_sent_ + static_cast<std::int64_t>(blocks)
                   : 0;
}

}  // namespace orrery::core
