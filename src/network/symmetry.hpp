// Says what a part of the network does to the symmetry of NPUs, which decides how much of a run has to be
// simulated (simulate/folding/symmetry.hpp).
#pragma once

#include <cstdint>

namespace orrery::core {

enum class Symmetry : std::uint8_t {
  unclassified,  // nobody has said what it does: every message of every rank is simulated
  kept,          // messages take as long as each other wherever they did so without it
  phases_meet,   // it is alike for all NPUs, but messages of different phases may wait for one another in it
  others_use_links,  // links carry more than the program's messages
  watched,           // it records what single links do, or what single messages take
};

}  // namespace orrery::core
