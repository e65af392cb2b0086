// Settings that belong together: those of adapters as they are sold, and of other simulators. A new profile
// is a function, and a line in the table.
#pragma once

#include <array>

#include "base/words.hpp"
#include "network/packet/packet_settings.hpp"

namespace orrery {

PacketSettings roce_v2_packets();
// Returns the settings of CUBIC over Ethernet that loses packets.
PacketSettings tcp_packets();
// Returns the settings of reliable connections over links with credits.
PacketSettings infiniband_packets();
// Returns the settings of ns-3's back end of ASTRA-sim, which counts in whole nanoseconds.
PacketSettings ns3_packets();
// Returns the settings of htsim's RoCE drivers.
PacketSettings htsim_packets();

using PacketProfile = PacketSettings (*)();
inline constexpr std::array<Word<PacketProfile>, 5> packet_profile_words{{
    {"roce-v2", roce_v2_packets},
    {"tcp", tcp_packets},
    {"infiniband", infiniband_packets},
    {"ns-3", ns3_packets},
    {"htsim", htsim_packets},
}};

}  // namespace orrery
