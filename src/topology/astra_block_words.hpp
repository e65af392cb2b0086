// ASTRA-sim's words for building blocks, in the network files of 1.0 and 2.x.
#pragma once

#include <array>

#include "base/words.hpp"
#include "topology/topology.hpp"

namespace orrery {

inline constexpr std::array<Word<Block>, 3> astra_block_words{{
    {"Ring", Block::ring},
    {"FullyConnected", Block::fully_connected},
    {"Switch", Block::switched},
}};

}  // namespace orrery
