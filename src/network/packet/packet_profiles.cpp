#include "network/packet/packet_profiles.hpp"

#include "network/packet/congestion/congestion_kinds.hpp"

namespace orrery {

PacketSettings roce_v2_packets() {
  return {};
}

// Packets of 1500 bytes, in which IP and TCP take 40; around them Ethernet has 18, and 20 between frames.
PacketSettings tcp_packets() {
  PacketSettings packets;
  packets.sizes.payload = 1460;
  packets.sizes.data_header = 78;
  packets.buffer.pfc = false;
  packets.window.limited = false;
  packets.congestion.kind = &tcp_cubic_control;
  packets.reliability.largest_timeout_ps = 60'000'000'000'000;
  return packets;
}

PacketSettings ns3_packets() {
  PacketSettings packets;
  packets.sizes = {.payload = 1000, .data_header = 36, .ack_header = 34, .least_ack = 48, .pause = 31};
  packets.buffer.wraps = true;
  packets.reliability.timeouts = false;
  packets.congestion.hpcc.quantized = true;
  packets.whole_nanoseconds = true;
  packets.ns3_ways = true;
  packets.queue_pair_per_message = true;
  packets.wakes_for_all_flows = true;
  packets.refuses_empty = true;
  return packets;
}

// A pause takes the latency of a link and no time to send. Switches pause what comes in by a port when they
// hold more than 15 packets of it, and have it go on below 12; they never lose any.
PacketSettings htsim_packets() {
  PacketSettings packets;
  packets.sizes = {
      .payload = 4000, .data_header = 64, .ack_header = 64, .least_ack = 64, .pause = 0, .padded = true};
  packets.buffer.bytes = std::uint64_t{2} << 30;
  packets.buffer.pause_above = 15;
  packets.buffer.resume_below = 12;
  packets.window.limited = false;
  packets.queue_pair_per_message = true;
  packets.ends_when_acknowledged = true;
  return packets;
}

}  // namespace orrery
