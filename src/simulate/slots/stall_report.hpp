// Says why a run in slots cannot go on: the shortest explanation first.
#pragma once

#include <string>
#include <vector>

#include "collective/collective_backend.hpp"
#include "simulate/slots/slot_issuer.hpp"

namespace orrery::core {

// Returns one line for each of these: messages whose sizes differ, what never comes because its rank has
// ended, collectives that ranks take for the same although they differ, ranks that are missing in a
// collective, circles of ranks that wait for each other, and what each rank waits for.
std::vector<std::string> explain_stall(const Program& program, const SlotIssuer& issuer,
                                       const Messenger& messenger, const CollectiveBackend& collectives);

}  // namespace orrery::core
