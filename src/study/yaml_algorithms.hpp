// The algorithms that an experiment file names for a collective; yaml_system.hpp says how they are written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/keys.hpp"
#include "collective/system_config.hpp"
#include "topology/topology.hpp"

namespace orrery {

// One per dimension, or a single one that spans the machine.
std::vector<AlgorithmChoice> read_yaml_algorithms(const YamlNode& node, std::string_view collective,
                                                  const Topology& topology);

std::vector<AlgorithmChoice> default_algorithms(CollectiveKind kind, const Topology& topology);

// "[].algorithm" and so on.
std::vector<KeyPath> yaml_algorithm_keys();

}  // namespace orrery
