// Compares what members of a group ask for in a collective.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units/rank_id.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

struct RankRequest {
  RankId rank;
  const CollectiveRequest& request;
};

// Returns why two members do not mean the same collective: "is an all-reduce of 8 bytes, where rank 3 has a
// barrier". Returns nothing where they do.
std::string disagreement(const RankRequest& one, const RankRequest& other,
                         const std::vector<Communicator>& communicators);

}  // namespace orrery::core
