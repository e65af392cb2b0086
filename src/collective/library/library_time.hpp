// Says how long a collective of a program takes in a library.
#pragma once

#include "base/units/time.hpp"
#include "collective/library/collective_library.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

// Returns how the members of rank 0's group, or those that are listed, are spread over nodes of
// `gpus_per_node` consecutive ranks each. Every node is taken to have as many members as that of the lowest
// rank. `taking_part` are the dimensions of the communicator that take part.
GroupPlacement placement_of(const Communicator& communicator, int gpus_per_node,
                            DimensionSet taking_part = DimensionSet().set());

// Returns how long a collective takes whose size is that of a request. `efficiency` is the share of the
// library's own speed that is reached. Throws InputError for groups that the library's machine cannot have.
Time time_of(const CollectiveLibrary& library, CollectiveKind kind, Bytes size, const GroupPlacement& group,
             double efficiency = 1);
inline Time time_of(const CollectiveLibrary& library, const CollectiveRequest& request,
                    const GroupPlacement& group) {
  return time_of(library, request.kind, request.size, group, request.efficiency);
}

}  // namespace orrery::core
