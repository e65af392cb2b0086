#include "network/packet/model/packet_defaults.hpp"

#include <algorithm>

#include "base/input/node_reader.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/grant_rules.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/flow_control/largest_packet.hpp"
#include "network/packet/model/packet_profiles.hpp"

namespace orrery::core {
namespace {

void suit_control(const InputNode& map, PacketSettings& packets) {
  const InputNode* const profile = map.find("profile");
  if (!profile) return;
  const PacketProfile& of = *word_value_of(*profile, "profile", packet_profile_words);
  if (of.suit_control) of.suit_control(map, packets);
}

void take_control(const InputNode& map, const CongestionKind& control, PacketSettings& packets) {
  if (control.needs_window && !map.find("window") && !packets.window.limited) packets.window = {};
  if (control.marks.rate > 0 && !packets.ecn.on)
    packets.ecn = {.on = true, .thresholds = {control.marks}, .scaled = true};
  if (!map.find("gain")) packets.congestion.gain = control.gain;
  // Receivers that grant packets rely on switches that trim.
  if (control.grants && !map.find("flow-control")) packets.flow_control = &trimming_flow_control;
}

// The queues of switches that trim hold eight packets, as in NDP.
void take_queue(PacketSettings& packets) {
  constexpr std::uint64_t usual_packets = 8;
  if (packets.flow_control->trims && packets.buffer.queue == 0)
    packets.buffer.queue =
        usual_packets * packets.sizes.data(packets.sizes.payload, telemetry_bytes(packets));
}

// Pauses may have fixed thresholds only where senders pause. A paused sender goes on as soon as the switch
// would pause it no more.
void take_thresholds(const InputNode& map, PacketSettings& packets) {
  SharedBufferSettings& buffer = packets.buffer;
  if (!map.find("pause-above") && (packets.flow_control != &pause_flow_control || map.find("headroom")))
    buffer.pause_above = 0;
  if (!map.find("resume-below") && (buffer.resume_below == 0 || buffer.resume_below > buffer.pause_above))
    buffer.resume_below = buffer.pause_above;
}

// A timeout that is given takes the place of a profile's. Where receivers grant packets from short queues,
// nothing takes long, and losses are rare but cost a timeout each.
void take_timeouts(const InputNode& map, PacketSettings& packets) {
  ReliabilitySettings& rules = packets.reliability;
  if (map.find("local-ack-timeout")) return;
  if (map.find("timeout")) {
    rules.fixed_timeout_ps = 0;
    return;
  }
  const CongestionKind* const control = packets.congestion.kind;
  if (!control || !control->grants || packets.buffer.queue == 0) return;
  if (rules.fixed_timeout_ps > 0 && !map.find("retries")) rules.retries = ReliabilitySettings().retries;
  rules.fixed_timeout_ps = 0;
  rules.min_timeout_ps = control->grants->min_timeout_ps;
  rules.queues_of_timeout = control->grants->queues_of_timeout;
}

}  // namespace

void take_usual_values(const InputNode& map, PacketSettings& packets) {
  suit_control(map, packets);
  if (const CongestionKind* const control = packets.congestion.kind) take_control(map, *control, packets);
  take_queue(packets);
  take_thresholds(map, packets);
  take_timeouts(map, packets);
}

}  // namespace orrery::core
