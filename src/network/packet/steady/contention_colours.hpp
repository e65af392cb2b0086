// Tells flows that share links apart by their position. Two groups of flows that share equal links in the
// same manner have equal colours, wherever they are in the network.
//
// Colour refinement (Weisfeiler and Leman, 1968) on flows and links: a link is coloured by what it is and by
// the flows that use it, and a flow by the links of its route, again and again until no more colours appear.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "network/packet/steady/steady_route.hpp"

namespace orrery::core {

struct ColouredFlow {
  const SteadyRoute* route = nullptr;
  std::uint32_t flows = 1;  // number of flows that send there
};

// Returns the colours in the order of the flows. `link_kind` is equal for links that are alike.
std::vector<std::uint64_t> contention_colours(std::span<const ColouredFlow> flows,
                                              const std::function<std::uint64_t(LinkId)>& link_kind);

}  // namespace orrery::core
