// The words for the kinds of nodes of a network.
#pragma once

#include <array>

#include "base/diagnostics/words.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

inline constexpr std::array<EnumName<NodeKind>, 5> node_kind_words{{
    {"npu", NodeKind::npu},
    {"nic", NodeKind::nic},
    {"cpu", NodeKind::cpu},
    {"pcie-switch", NodeKind::pcie_switch},
    {"switch", NodeKind::network_switch},
}};

}  // namespace orrery::core
