// Reads network files of ASTRA-sim whose keys have a list each, with one value per dimension.
#pragma once

#include <array>
#include <span>

#include "base/diagnostics/words.hpp"
#include "base/input/keys.hpp"
#include "topology/topology.hpp"
#include "topology/topology_check.hpp"

namespace orrery::core {

inline constexpr std::array<EnumName<Block>, 4> astra_block_words{{
    {"Ring", Block::ring},
    {"FullyConnected", Block::fully_connected},
    {"FC", Block::fully_connected},
    {"Switch", Block::switched},
}};

struct DimensionList : Key<Dimension> {
  DimensionPart part;  // part of the dimension that its values give
};

// Reads the lists of the file `root` into `dimensions` dimensions, called dim0, dim1 and so on.
// `of_dimension` completes each of them. Throws InputError, also where the topology does not pass
// check_topology().
Topology read_dimension_lists(const InputNode& root, std::span<const DimensionList> lists,
                              std::size_t dimensions, void (*of_dimension)(Dimension&), Warnings& warnings);

}  // namespace orrery::core
