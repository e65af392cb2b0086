// The ranks that take part in a collective of a program.
#pragma once

#include <cstdint>
#include <vector>

#include "program/collective_request.hpp"

namespace orrery {

// Returns the ranks that take part with `rank`: as they are listed, or along the dimensions, innermost first.
std::vector<std::uint32_t> members_with(std::uint32_t rank, const CollectiveRequest& request,
                                        const Communicator& communicator);
// Returns the place of a rank among them.
std::uint32_t place_among_members(std::uint32_t rank, const CollectiveRequest& request,
                                  const Communicator& communicator);
// Returns the rank at a place among them.
std::uint32_t member_at(std::uint32_t place, std::uint32_t rank, const CollectiveRequest& request,
                        const Communicator& communicator);
// Returns whether `rank` cannot be done before `member` has come. In a collective whose root has the data,
// the other members do not wait for one another.
bool is_awaited(std::uint32_t member, std::uint32_t rank, const CollectiveRequest& request,
                const Communicator& communicator);

}  // namespace orrery
