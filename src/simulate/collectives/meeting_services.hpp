// Chooses the service that carries out collectives as a whole, in place of the phases of algorithms.
#pragma once

#include <memory>

#include "collective/meeting_collectives.hpp"
#include "events/event_loop.hpp"
#include "network/transport.hpp"
#include "simulate/machine.hpp"

namespace orrery {

// Returns a library's closed forms, or NCCL's channels on a graph, where the machine has them. Otherwise
// returns null. `transport` carries the messages of channels, and may be null where there are none. Keeps
// references to all parameters.
std::unique_ptr<CollectiveService> make_meeting_service(const Machine& machine, EventLoop& loop,
                                                        Transport* transport, const CollectiveRanks& ranks,
                                                        CollectiveListener& listener);

}  // namespace orrery
