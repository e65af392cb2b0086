// Finds the routes of messages through a network that is a product of circles, stars and the like. They
// follow from the factors, so the graph need not be made.
#pragma once

#include "network/folding/symmetric_routes.hpp"
#include "topology/graph/network_product.hpp"

namespace orrery::core {

// Returns none where a message has several routes, or differs from its peer in several dimensions.
std::optional<SymmetricRoutes> find_product_routes(const NetworkProduct& product,
                                                   const std::vector<PeerMessages>& messages);

}  // namespace orrery::core
