// Refuses keys of packets that contradict each other or that others make meaningless. The checks throw
// InputError at the key, and `map` is the map that the settings were read from.
#pragma once

#include "base/input_node.hpp"
#include "network/packet/packet_settings.hpp"

namespace orrery {

// Refuses keys that contradict switches that trim, or pauses that nobody obeys.
void refuse_beside_trimming(const InputNode& map, const PacketSettings& packets);
// Refuses keys that the others make meaningless.
void refuse_useless(const InputNode& map, const PacketSettings& packets);
// Refuses keys whose effects flows at known rates cannot show.
void refuse_beside_steady_rates(const InputNode& map, const PacketSettings& packets);
// Refuses keys of congestion controls other than the one that is chosen.
void refuse_keys_of_others(const InputNode& map, const CongestionKind* control);

}  // namespace orrery
