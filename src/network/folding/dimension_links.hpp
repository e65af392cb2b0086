// Folding on networks of dimensions.
#pragma once

#include "network/folding/symmetric_routes.hpp"

namespace orrery::core {

// Finds the routes of messages on a network of dimensions, whose links are all equally fast. Returns none
// where NPUs are not symmetric, or where that would take long to find out.
std::optional<SymmetricRoutes> find_routes_of_dimensions(const Topology& topology, const Dialect& dialect,
                                                         const std::vector<PeerMessages>& messages);

}  // namespace orrery::core
