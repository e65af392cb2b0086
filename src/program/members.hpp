// The ranks that take part in a collective of a program.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units/rank_id.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

// Returns the ranks that take part with `rank`: as they are listed, or along the dimensions, innermost first.
std::vector<RankId> members_with(RankId rank, const CollectiveRequest& request,
                                 const Communicator& communicator);
// Returns the place of a rank among them.
std::uint32_t place_among_members(RankId rank, const CollectiveRequest& request,
                                  const Communicator& communicator);
// Returns the rank at a place among them.
RankId member_at(std::uint32_t place, RankId rank, const CollectiveRequest& request,
                 const Communicator& communicator);
// Returns whether `rank` cannot be done before `member` has come. In a collective whose root has the data,
// the other members do not wait for one another.
bool is_awaited(RankId member, RankId rank, const CollectiveRequest& request,
                const Communicator& communicator);

}  // namespace orrery::core
