// What settings of packets are where the user does not give them and they depend on others.
#pragma once

#include "base/input/input_node.hpp"
#include "network/packet/settings/packet_settings.hpp"

namespace orrery::core {

// Takes the usual values of what is not given, of a map that has been read. Values of a profile yield to
// what the user asks for.
void take_usual_values(const InputNode& map, PacketSettings& packets);

}  // namespace orrery::core
