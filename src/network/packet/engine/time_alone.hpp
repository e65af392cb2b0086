// Computes how long a message takes in an empty network, by which its slowdown is measured
// (docs/models/network-packet.md, Slowdown).
#pragma once

#include <cstdint>
#include <vector>

#include "network/packet/packet_clock.hpp"
#include "network/packet/settings/packet_settings.hpp"

namespace orrery::core {

// A hop of a route: links of which packets take any one.
struct LoneHop {
  std::uint64_t rate = 0;      // bit/s of the fastest link
  std::uint64_t all_rate = 0;  // bit/s of all links together
  std::uint64_t links = 0;
  Stamp delay = 0;  // least delay of the links, ps

  void add(std::uint64_t link_rate, Stamp link_delay);
};

// Returns the ps until the last byte has arrived. Where a message ends only when its sender knows that, it is
// the ps until the acknowledgement has come back. One flow carries the message, which has at least one byte,
// and nothing holds it up but the links.
Stamp time_alone(const std::vector<LoneHop>& there, const std::vector<LoneHop>& back,
                 const PacketSettings& settings, std::uint64_t bytes);

}  // namespace orrery::core
