// Words for the types and kinds in execution traces.
#pragma once

#include <array>

#include "base/diagnostics/words.hpp"
#include "workload/chakra/files/node.hpp"

namespace orrery::core {

// Types of nodes.
inline constexpr std::array<EnumName<chakra::NodeType>, 8> node_type_words{{
    {"invalid", chakra::NodeType::invalid},
    {"metadata", chakra::NodeType::metadata},
    {"memory-load", chakra::NodeType::memory_load},
    {"memory-store", chakra::NodeType::memory_store},
    {"compute", chakra::NodeType::compute},
    {"send", chakra::NodeType::send},
    {"receive", chakra::NodeType::receive},
    {"collective", chakra::NodeType::collective},
}};

// Kinds of collectives.
inline constexpr std::array<EnumName<chakra::CommType>, 10> comm_type_words{{
    {"all-reduce", chakra::CommType::all_reduce},
    {"reduce", chakra::CommType::reduce},
    {"all-gather", chakra::CommType::all_gather},
    {"gather", chakra::CommType::gather},
    {"scatter", chakra::CommType::scatter},
    {"broadcast", chakra::CommType::broadcast},
    {"all-to-all", chakra::CommType::all_to_all},
    {"reduce-scatter", chakra::CommType::reduce_scatter},
    {"reduce-scatter-block", chakra::CommType::reduce_scatter_block},
    {"barrier", chakra::CommType::barrier},
}};

}  // namespace orrery::core
