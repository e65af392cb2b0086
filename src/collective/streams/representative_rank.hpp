// One rank that is simulated message by message and stands for all.
//
// All ranks do the same at the same times: while a rank sends a message to one peer, another peer sends the
// same message to it. The simulated rank receives its own message in place of the other, so whatever it waits
// for comes. Where messages may meet on links, the network knows that all ranks send the message
// (SymmetricRoutes).
#pragma once

#include "collective/streams/phase_timings.hpp"
#include "collective/streams/rank_order.hpp"

namespace orrery {

struct RepresentativeRank {
  PhaseTimings& timings;
  RankOrder order;
  const bool messages_meet;  // on links, so that courses and the order within an instant are not known

  // Keeps a reference.
  RepresentativeRank(PhaseTimings& known, bool meet) : timings(known), messages_meet(meet) {}

  // The rank starts a phase. Throws AmbiguousEventOrder when ranks do not do the same in it at the same
  // times.
  void start(const StreamShape& shape, const StreamMembers& members, Time endpoint_delay);
};

}  // namespace orrery
