// Checks what a platform may say in a run that has a network, which then says what links there are.
#pragma once

#include "base/diagnostics/diagnostics.hpp"
#include "base/input/input_node.hpp"
#include "topology/topology.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

// Throws InputError at `where` unless the network has as many NPUs as the training has ranks.
void require_ranks(const TrainingSetup& setup, const Topology& topology, const SourceLocation& where);

// Refuses keys about links in a platform's map, and warns of a library there. `has_library` says whether the
// system names one, which carries out the collectives.
void check_platform_on_network(const InputNode& platform, bool has_library, Warnings& warnings);

}  // namespace orrery::core
