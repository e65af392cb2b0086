// A transformer's training on a network of one's own, in place of the platform's links.
#pragma once

#include "collective/system_config.hpp"
#include "topology/topology.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery {

// Returns the training with collectives as the system has them: those of its library on the network. Where
// messages of algorithms carry them out, no closed form says what they take, and the setup's library is an
// ideal one that only serves to lay stages out. Throws InputError when the library does not know such a
// network.
TrainingSetup on_own_network(const TrainingSetup& setup, const Topology& topology,
                             const SystemConfig& system);

}  // namespace orrery
