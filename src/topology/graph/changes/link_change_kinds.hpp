// Lists what may change the links of a graph while something runs on it. A new kind is a file with a
// LinkChangeKind, and a line here.
#pragma once

#include <array>

#include "topology/graph/changes/failures.hpp"

namespace orrery::core {

inline constexpr std::array<const LinkChangeKind*, 1> link_change_kinds{&failure_kind};

}  // namespace orrery::core
