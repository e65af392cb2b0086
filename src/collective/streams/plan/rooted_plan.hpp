// Plans the phases of a rooted collective, in which ranks without data to send or receive have no part
// (docs/models/streams.md, Rooted collectives).
#pragma once

#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/streams/plan/stream_phase.hpp"

namespace orrery::core {

struct RootedStep {
  AlgorithmChoice choice;
  StreamMembers members;
  std::uint32_t root;     // position of the root
  std::size_t dimension;  // dimension whose queues the step uses
  bool takes_part;        // whether the rank takes part
};

// Throws InputError when the algorithms listed for a kind do not fit the dimensions.
void check_rooted(const SystemConfig& config, CollectiveKind kind, std::size_t dimensions);

// Returns the steps of a rank's collective, in their order: one per dimension that takes part, or one among
// the members of a group.
std::vector<RootedStep> rooted_steps(const SystemConfig& config,
                                     const std::vector<LogicalDimension>& dimensions, RankId rank,
                                     const CollectiveRequest& request, const Communicator& communicator);
std::vector<RootedStep> rooted_step_in_group(const SystemConfig& config, RankId rank,
                                             const CollectiveRequest& request, const Communicator& group);

}  // namespace orrery::core
