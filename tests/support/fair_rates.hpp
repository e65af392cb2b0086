// Computes how flows share links, all at once: what src/network/fluid/rates/max_min_rates.hpp has to arrive
// at step by step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orrery::core {

// A flow puts `weight` times its own rate on a resource.
struct ResourceUse {
  std::uint32_t resource;
  double weight;
};

struct FairFlow {
  double most;  // its rate where nothing else flows
  std::span<const ResourceUse> uses;
};

// Bytes per ns of every flow. No resource carries more than its capacity, and no flow could be faster but by
// slowing one that is not faster itself (progressive filling: Bertsekas and Gallager, Data Networks, 1992,
// section 6.5.2). Flows of equal uses have equal rates, to the last bit. It takes as many rounds as there are
// different rates, each of which looks at every flow and resource once.
std::vector<double> fair_rates(std::span<const double> capacities, std::span<const FairFlow> flows);

}  // namespace orrery::core
