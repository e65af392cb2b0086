// The size of packets on a wire.
#pragma once

#include <algorithm>

#include "network/packet/congestion/congestion_control.hpp"
#include "network/packet/settings/packet_settings.hpp"

namespace orrery::core {

// Returns the bytes that the congestion control adds to packets.
inline std::uint32_t telemetry_bytes(const PacketSettings& settings) {
  return settings.congestion.kind ? settings.congestion.kind->header_bytes : 0;
}

// Returns the bytes of the largest packet of data or acknowledgement of it.
inline std::uint32_t largest_packet(const PacketSettings& settings) {
  const std::uint32_t telemetry = telemetry_bytes(settings);
  return std::max(settings.sizes.data(settings.sizes.payload, telemetry), settings.sizes.ack(telemetry));
}

}  // namespace orrery::core
