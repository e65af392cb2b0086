// Finds out where the collectives within a transformer's layers meet no other messages on a network.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units/rank_id.hpp"
#include "topology/topology.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

// Returns whether they meet nothing on their links, so that they always take equally long, if no NPU passes
// on messages of others.
bool layers_have_private_links(const TrainingSetup& setup, const Topology& topology);

// Returns, by rank, whether they do so there although NPUs pass on messages where these are cut off: no
// message is passed on over links of the rank's groups. Ranks of `except` and of their groups do not count.
// Returns nothing if no rank is left, or if finding out would take long.
std::vector<bool> ranks_with_private_layers(const TrainingSetup& setup, const Topology& topology,
                                            const std::vector<RankId>& except);

}  // namespace orrery::core
