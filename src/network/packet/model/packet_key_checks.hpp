// Refuses keys of packets that contradict each other or that others make meaningless. The checks throw
// InputError at the key, and `map` is the map that the settings were read from.
#pragma once

#include "base/input/input_node.hpp"
#include "network/packet/settings/packet_settings.hpp"

namespace orrery::core {

// Refuses keys that contradict switches that trim, or pauses that nobody obeys.
void refuse_beside_trimming(const InputNode& map, const PacketSettings& packets);
// Refuses keys that the others make meaningless.
void refuse_useless(const InputNode& map, const PacketSettings& packets);
// Refuses thresholds of pauses by which a paused sender would not go on.
void refuse_wrong_thresholds(const InputNode& map, const SharedBufferSettings& buffer);
// Refuses a queue that holds no packet.
void refuse_short_queue(const InputNode& map, const PacketSettings& packets);
// Refuses keys whose effects flows at known rates cannot show.
void refuse_beside_steady_rates(const InputNode& map, const PacketSettings& packets);
// Refuses keys that contradict what the profile is.
void refuse_beside_profile(const InputNode& map, const PacketSettings& packets);
// Refuses keys of congestion controls other than the one that is chosen.
void refuse_keys_of_others(const InputNode& map, const CongestionKind* control);
// Refuses keys that take from the congestion control what it needs.
void refuse_beside_control(const InputNode& map, const PacketSettings& packets);

}  // namespace orrery::core
