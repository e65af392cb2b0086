// Chooses the links of which a history says what they carry.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

inline constexpr std::size_t max_in_history = 64;  // links, and also switches

struct BusyLink {
  double busy = 0;  // time for which the link would be busy at its full bandwidth, in any unit
  LinkId link;
  std::string level;  // of the network
};

// Returns up to `max_in_history` links, the busiest first: the busiest of each level, then the next of each
// level, and so on until there is no more room. So a level with few busy links is not left out because
// another one has many. Among equally busy links those that came first stay first.
std::vector<BusyLink> busiest_of_levels(std::vector<BusyLink> links);

}  // namespace orrery::core
