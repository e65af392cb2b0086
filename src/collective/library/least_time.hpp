// Computes the time that a collective takes at least, because links carry no more than their bandwidth.
#pragma once

#include "collective/library/transfer_demand.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

// Returns the seconds in which the links carry what each member or node has to send or receive, at their
// whole bandwidth and whatever the algorithm is. An all-reduce passes each link 2 (n - 1) / n times, or
// (n - 1) / n times where switches reduce (Patarasuk and Yuan, J. Parallel Distrib. Comput. 69, 2009).
double least_collective_seconds(CollectiveKind kind, double bytes, const GroupPlacement& group,
                                const GroupLinks& links);

// Returns the same of a send.
double least_send_seconds(double bytes, bool same_node, const GroupLinks& links);

}  // namespace orrery::core
