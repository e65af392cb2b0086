// Adds up what ranks send in collectives over each dimension of the topology, and for how long they are busy
// with that.
#pragma once

#include <cstdint>
#include <vector>

#include "base/dialect.hpp"
#include "base/units/rank_id.hpp"
#include "collective/dimension_use.hpp"
#include "collective/streams/plan/stream_phase.hpp"
#include "events/clock.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

class DimensionUses {
 public:
  // `recorded` says, by rank, whether the rank's phases count. With `rendezvous` the messages that ask for
  // others count, too.
  DimensionUses(const Topology& topology, const Dialect& dialect, bool rendezvous,
                std::vector<bool> recorded);

  // Tell that a rank starts or ends its part in a phase. Times ascend.
  void start(RankId rank, const StreamPhase& phase, Stamp now) {
    if (recorded_[rank.index()]) begin(rank, phase, now);
  }
  void end(RankId rank, const StreamPhase& phase, Stamp now) {
    if (recorded_[rank.index()]) finish(rank, phase, now);
  }

  // Returns what a rank has used, by dimension; zeros for one whose phases do not count.
  std::vector<DimensionUse> of(RankId rank) const;

 private:
  struct Use {
    DimensionUse sum;
    std::uint32_t phases = 0;  // that are under way
    Stamp since = 0;           // there are any

    void begin(Stamp now) {
      if (phases++ == 0) since = now;
    }
    void end(Stamp now) {
      if (--phases == 0) sum.busy += Time::from_ps(now - since);
    }
  };

  void begin(RankId rank, const StreamPhase& phase, Stamp now);
  void finish(RankId rank, const StreamPhase& phase, Stamp now);
  // Returns the dimension that carries messages between two ranks.
  std::size_t carrying(RankId rank, RankId peer) const;

  const std::vector<LogicalDimension> dimensions_;
  const bool lowest_carries_;
  const Bytes handshake_;
  const std::vector<bool> recorded_;
  std::vector<Use> uses_;  // by rank and dimension
};

}  // namespace orrery::core
