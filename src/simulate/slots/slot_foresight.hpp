// Fetches what ranks need before their turn comes. Thousands of ranks act in turn, so that nothing of a rank
// is in the caches when something happens to it. Fetching saves a fifth of the time of 4,096 graphs.
#pragma once

#include "base/units/rank_id.hpp"
#include "collective/streams/stream_engine.hpp"
#include "events/rank_timers.hpp"
#include "simulate/slots/slot_issuer.hpp"

namespace orrery {

class SlotForesight final : public EventForesight {
 public:
  // Keeps references.
  SlotForesight(const RankTimers& timers, const StreamEngine& collectives, const SlotIssuer& issuer)
      : timers_(timers), collectives_(collectives), issuer_(issuer) {}

  void comes_soon(const Event& event) const override {
    if (timers_.handles(event))
      timers_.prefetch(event);
    else if (collectives_.handles(event))
      collectives_.prefetch(event);
    else
      return;
    issuer_.prefetch(RankId(event.rank));
  }

  // Fetches what comes_soon() could not fetch, because its address lies in what that has fetched by now.
  void comes_next(const Event& event) const override {
    if (collectives_.handles(event))
      collectives_.prefetch_phases(event);
    else if (!timers_.handles(event))
      return;
    issuer_.prefetch_operations(RankId(event.rank));
  }

 private:
  const RankTimers& timers_;
  const StreamEngine& collectives_;
  const SlotIssuer& issuer_;
};

}  // namespace orrery
