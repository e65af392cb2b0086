// Finds out whether groups of NPUs that communicate have links for themselves.
#pragma once

#include <optional>
#include <vector>

#include "topology/graph/measures/planes.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery::core {

// The dimensions along which NPUs form groups. NPUs of a group differ in their positions there, and in
// nothing else.
using GroupDimensions = std::vector<LogicalDimension>;

// Returns whether the messages within each group of `own` meet only messages of the same group, whatever the
// groups of `others` send at the same time, and all groups of `own` look alike. Then a collective takes the
// same time on each of them, which is the time that it takes by itself. The `changing` links break or slow
// down at times, and `own` must not need any in their planes. Returns false where the planes of the network
// do not tell all that.
bool have_private_links(const NetworkGraph& graph, const NetworkPlanes& planes, const GroupDimensions& own,
                        const std::vector<GroupDimensions>& others, const std::vector<LinkId>& changing = {});

// Returns which planes the groups of `own` use, by plane. None: have_private_links() returns false.
std::optional<std::vector<bool>> private_planes(const NetworkGraph& graph, const NetworkPlanes& planes,
                                                const GroupDimensions& own,
                                                const std::vector<GroupDimensions>& others,
                                                const std::vector<LinkId>& changing = {});

// Returns the NPUs of a group, whose lowest one is `first`.
std::vector<NodeId> group_of(const GroupDimensions& dimensions, int first);
// Returns the lowest NPU of an NPU's group, which stands for the group.
int first_of_group(const GroupDimensions& dimensions, int npu);

}  // namespace orrery::core
