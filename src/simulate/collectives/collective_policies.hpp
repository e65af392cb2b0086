// The policies by which collectives are carried out. A new one is a CollectivePolicy in a file of its own,
// and a line here.
#pragma once

#include <array>
#include <memory>

#include "simulate/collectives/collective_policy.hpp"

namespace orrery::core {

extern const CollectivePolicy library_policy;   // a library's closed forms, without messages
extern const CollectivePolicy channels_policy;  // messages on the channels that NCCL makes of a graph
extern const CollectivePolicy streams_policy;   // each rank plans its own, as execution traces do
extern const CollectivePolicy phases_policy;    // one plan for all ranks, phase by phase

// The first that applies is taken. What a machine has for collectives in particular comes before the ways in
// which programs have them carried out usually.
inline constexpr std::array<const CollectivePolicy*, 4> collective_policies{
    &library_policy,
    &channels_policy,
    &streams_policy,
    &phases_policy,
};

// Returns the policy that carries out the collectives of a program on a machine.
const CollectivePolicy& collective_policy_of(const Program& program, const Machine& machine);

// Makes what carries out the collectives of a run: the policy does, but for those whose time the program
// says.
std::unique_ptr<RecordedCollectives> make_collectives(const CollectivePolicy& policy,
                                                      const CollectiveRun& run);

}  // namespace orrery::core
