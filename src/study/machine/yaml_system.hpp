// Reads the system of an experiment file, which says how the machine runs collectives. Every key may be left
// out; the defaults are SystemConfig's.
#pragma once

#include <vector>

#include "base/dialect.hpp"
#include "base/input/keys.hpp"
#include "collective/plan/system_config.hpp"
#include "study/machine/yaml_algorithms.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// `injection_scale` multiplies the endpoint delay, as the dialect counts. Throws InputError.
SystemConfig read_yaml_system(const InputNode& system, const Topology& topology, const Dialect& dialect,
                              double injection_scale, const SystemFiles& files);

// Returns the keys that may stand below `system`: ".chunks" and so on.
std::vector<KeyPath> yaml_system_keys();

}  // namespace orrery::core
