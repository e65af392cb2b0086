// Finds out from the route of every message whether all NPUs are symmetric.
#pragma once

#include <optional>
#include <vector>

#include "network/folding/symmetric_routes.hpp"
#include "topology/graph/routing/routes.hpp"

namespace orrery::core {

// The links of a network, and the routes of messages over them.
class RoutedLinks {
 public:
  virtual ~RoutedLinks() = default;

  // Links are numbered from 0.
  virtual std::uint64_t links() const = 0;
  virtual double bytes_per_ns(LinkId link) const = 0;
  // Returns one link by itself.
  virtual SymmetricRoutes::Links describe(LinkId link) const = 0;
  // Returns the route between two NPUs, which must differ. It is valid until the next call.
  virtual const Route& route(int source, int destination) = 0;
  // Returns the bytes per ns of the link that limits a message by itself.
  virtual double most(int source, int destination) = 0;
};

// Colours the links. Returns none where NPUs are not symmetric, or where that would take long to find out.
std::optional<SymmetricRoutes> refine_link_symmetry(RoutedLinks& network, int npus,
                                                    const std::vector<PeerMessages>& messages);

}  // namespace orrery::core
