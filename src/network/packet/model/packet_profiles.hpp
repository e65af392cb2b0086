// Settings that belong together: those of adapters as they are sold, and of other simulators. A new profile
// is a PacketProfile, and a line in the table.
#pragma once

#include <array>

#include "base/diagnostics/words.hpp"
#include "base/input/input_node.hpp"
#include "network/packet/settings/packet_settings.hpp"

namespace orrery::core {

PacketSettings roce_v2_packets();
// Returns the settings of CUBIC over Ethernet that loses packets.
PacketSettings tcp_packets();
// Returns the settings of reliable connections over links with credits.
PacketSettings infiniband_packets();
// Returns the settings of ns-3's back end of ASTRA-sim, which counts in whole nanoseconds.
PacketSettings ns3_packets();
// Returns the settings of htsim's RoCE drivers.
PacketSettings htsim_packets();

struct PacketProfile {
  PacketSettings (*settings)();
  // Changes the settings that the profile has for some congestion controls only, but none whose key is among
  // these. Null: it has none.
  void (*suit_control)(const InputNode& given, PacketSettings& packets) = nullptr;
};

extern const PacketProfile roce_v2_profile;
extern const PacketProfile tcp_profile;
extern const PacketProfile infiniband_profile;
extern const PacketProfile ns3_profile;
extern const PacketProfile htsim_profile;

inline constexpr std::array<EnumName<const PacketProfile*>, 5> packet_profile_words{{
    {"roce-v2", &roce_v2_profile},
    {"tcp", &tcp_profile},
    {"infiniband", &infiniband_profile},
    {"ns-3", &ns3_profile},
    {"htsim", &htsim_profile},
}};

}  // namespace orrery::core
