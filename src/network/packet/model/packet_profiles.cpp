#include "network/packet/model/packet_profiles.hpp"

#include <limits>

#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"

namespace orrery::core {

PacketSettings roce_v2_packets() {
  return {};
}

// Packets have 1500 bytes, of which IP and TCP take 40. Ethernet adds 18 around them, and 20 between frames.
PacketSettings tcp_packets() {
  PacketSettings packets;
  packets.sizes.payload = 1460;
  packets.sizes.data_header = 78;
  packets.flow_control = &no_flow_control;
  packets.window.limited = false;
  packets.congestion.kind = &tcp_cubic_control;
  packets.reliability.largest_timeout_ps = 60'000'000'000'000;
  return packets;
}

// Headers are LRH 8, BTH 12, ICRC 4 and VCRC 2 bytes, and AETH 4 in acknowledgements. A receiver reports only
// once that something is missing. A sender that hears nothing for 4.096 us * 2^14 sends again, seven times.
PacketSettings infiniband_packets() {
  PacketSettings packets;
  packets.sizes = {.payload = 4096,
                   .data_header = 26,
                   .ack_header = 30,
                   .min_ack = 30,
                   .min_payload = 256,
                   .max_payload = 4096};
  packets.flow_control = &credit_flow_control;
  packets.window.limited = false;
  packets.reliability.nack_gap_ps = std::numeric_limits<std::int64_t>::max() / 2;
  packets.reliability.fixed_timeout_ps = local_ack_timeout_ps(14);
  packets.reliability.retries = 7;
  return packets;
}

PacketSettings ns3_packets() {
  PacketSettings packets;
  packets.sizes = {.payload = 1000, .data_header = 36, .ack_header = 34, .min_ack = 48, .pause = 31};
  packets.buffer.wraps = packets.buffer.three_delays = true;
  packets.reliability.timeouts = false;
  packets.congestion.hpcc.quantized = true;
  packets.whole_nanoseconds = true;
  packets.one_queue_of_answers = true;
  packets.ns3_routes = true;
  packets.queue_pair_per_message = true;
  packets.wakes_for_all_flows = true;
  packets.refuses_empty = true;
  return packets;
}

// A pause takes the latency of a link and no time to send. A switch pauses the traffic that enters by a port
// when it holds more than 15 packets of it, and lets it go on below 12; switches never lose any.
PacketSettings htsim_packets() {
  PacketSettings packets;
  packets.sizes = {
      .payload = 4000, .data_header = 64, .ack_header = 64, .min_ack = 64, .pause = 0, .padded = true};
  packets.buffer.bytes = std::uint64_t{2} << 30;
  packets.buffer.pause_above = 15;
  packets.buffer.resume_below = 12;
  packets.window.limited = false;
  packets.queue_pair_per_message = true;
  packets.ends_when_acknowledged = true;
  return packets;
}

namespace {

// The programs of htsim that have HPCC and receivers that grant packets differ from that of RoCE. HPCC's
// telemetry and the headers of EQDS have their place in what others' packets have beside it.
void suit_control_of_htsim(const InputNode& given, PacketSettings& packets) {
  const CongestionKind* const control = packets.congestion.kind;
  if (!control) return;
  PacketSizes& sizes = packets.sizes;
  if (control == &hpcc_control) {
    if (!given.find("header")) sizes.data_header -= control->header_bytes;
    if (!given.find("window")) packets.window = {.largest_of_all = true};
  }
  if (!control->grants) return;
  constexpr std::uint64_t packets_of_window = 64, packets_of_queue = 35;
  if (control == &eqds_control && !given.find("payload")) sizes.payload -= sizes.data_header;
  if (!given.find("window")) packets.window = {.bytes = packets_of_window * sizes.payload};
  if (!given.find("queue")) packets.buffer.queue = packets_of_queue * sizes.data(sizes.payload, 0);
}

}  // namespace

const PacketProfile roce_v2_profile{.settings = roce_v2_packets};
const PacketProfile tcp_profile{.settings = tcp_packets};
const PacketProfile infiniband_profile{.settings = infiniband_packets};
const PacketProfile ns3_profile{.settings = ns3_packets};
const PacketProfile htsim_profile{.settings = htsim_packets, .suit_control = suit_control_of_htsim};

}  // namespace orrery::core
