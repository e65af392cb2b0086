// Random experiments of all kinds of workloads, networks and machines, the same for the same seed.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace orrery::core::test {

struct RandomExperiment {
  std::string text;
  std::map<std::string, std::string> files;  // that it names, by their names beside it
};

// Returns an experiment of one run. It may be refused: groups of a transformer may not fit the network, and
// not everything that can be written has a meaning together.
RandomExperiment random_experiment(std::uint64_t seed);

}  // namespace orrery::core::test
