// Times an all-reduce up and down a tree on one group whose members start together.
#pragma once

#include <memory>

#include "collective/phase_timeline.hpp"
#include "collective/tree_classes.hpp"

namespace orrery {

// Requires that messages never share a link. Then times are maxima and sums over the tree, equal for
// positions of a class, so the work grows with the number of classes only. The group is that of NPU `base`,
// for which `classes` were made.
PhaseTimeline tree_timeline(const PhaseShape& shape, int base, std::shared_ptr<const TreeClasses> classes,
                            const SystemConfig& system, const ContentionFreeNetwork& network,
                            const Clock& clock, int topology_dimensions);

}  // namespace orrery
