#include "network/packet/model/packet_key_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/flow_control/largest_packet.hpp"
#include "network/packet/model/packet_profiles.hpp"
#include "network/packet/reliability/reliability_kinds.hpp"

namespace orrery::core {

namespace {

bool knows(const CongestionKind* control, std::string_view key) {
  return control && std::ranges::find(control->keys, key) != control->keys.end();
}

// Returns the name of the profile.
std::string_view profile_of(const InputNode& map) {
  const InputNode* const profile = map.find("profile");
  return profile ? std::string_view(profile->text) : packet_profile_words[0].word;
}

// Says that a setting is the profile's, where the file has a profile but not the key.
std::string whose_default(const InputNode& map, std::string_view key) {
  return map.find("profile") && !map.find(key) ? fmt::format(" of the profile `{}`", profile_of(map)) : "";
}

// The same about the flow control, which may also be that of the congestion control.
std::string whose_flow_control(const InputNode& map, const PacketSettings& packets) {
  const CongestionKind* const control = packets.congestion.kind;
  return control && control->grants && !map.find("flow-control") ? fmt::format(" of `{}`", control->name)
                                                                 : whose_default(map, "flow-control");
}

}  // namespace

void refuse_beside_trimming(const InputNode& map, const PacketSettings& packets) {
  const bool trims = packets.flow_control->trims;
  for (const std::string_view key : {"buffer", "headroom", "pause-above", "resume-below"})
    if (const InputNode* of_shared = map.find(key); of_shared && trims)
      throw InputError(
          of_shared->where,
          fmt::format("switches that trim have short queues for each port and never pause: leave "
                      "`{}` out, or give `queue`",
                      key));
  if (const InputNode* reordering = map.find("reordering"); reordering && trims)
    throw InputError(reordering->where,
                     "switches that trim say which packet is missing, so that no order tells: leave "
                     "`reordering` out");
  const ReliabilityKind* const reliability = packets.reliability.kind;
  if (const InputNode* given = map.find("reliability");
      given && reliability != &selective_repeat_reliability) {
    if (trims)
      throw InputError(
          given->where,
          "switches that trim say which packet is missing, and only `selective-repeat` sends that "
          "one alone: take it, or leave `reliability` out");
    if (packets.congestion.kind && packets.congestion.kind->grants)
      throw InputError(
          given->where,
          fmt::format("under `{}` packets are sent again one by one: take `selective-repeat`, or "
                      "leave `reliability` out",
                      packets.congestion.kind->name));
  }
  if (const InputNode* pauses = map.find("nic-pauses"); pauses && packets.flow_control->loses)
    throw InputError(
        pauses->where,
        fmt::format("under the flow control `{}`{} nobody pauses: leave `nic-pauses` out, or take "
                    "`pauses` or `credits`",
                    packets.flow_control->name, whose_flow_control(map, packets)));
}

namespace {

void refuse_of_other_flow_controls(const InputNode& map, const PacketSettings& packets) {
  const bool lanes = packets.flow_control->lanes;
  const std::string whose = whose_flow_control(map, packets);
  for (const std::string_view key : {"buffer", "headroom", "pause-above", "resume-below", "queue"})
    if (const InputNode* of_ethernet = map.find(key); of_ethernet && lanes)
      throw InputError(of_ethernet->where,
                       fmt::format("with credits{} every lane of a link has a buffer of its own, from which "
                                   "nothing is lost: leave `{}` out, or give `credits: {{ buffer: ... }}`",
                                   whose, key));
  if (const InputNode* credits = map.find("credits"); credits && !lanes)
    throw InputError(credits->where,
                     fmt::format("the flow control `{}`{} knows no `credits`: leave them out, or add "
                                 "`flow-control: credits`",
                                 packets.flow_control->name, whose));
  for (const std::string_view key : {"headroom", "pause-above", "resume-below"})
    if (const InputNode* pauses = map.find(key); pauses && packets.flow_control->loses)
      throw InputError(pauses->where,
                       fmt::format("under the flow control `{}`{} nobody pauses: leave `{}` out, or take "
                                   "`flow-control: pauses`",
                                   packets.flow_control->name, whose, key));
}

}  // namespace

void refuse_useless(const InputNode& map, const PacketSettings& packets) {
  refuse_of_other_flow_controls(map, packets);
  if (const InputNode* headroom = map.find("headroom"); headroom && packets.buffer.pause_above > 0)
    throw InputError(headroom->where,
                     "where pauses begin above a number of packets, all ports use the whole buffer: leave "
                     "`headroom` or `pause-above` out");
  for (const std::string_view key : {"timeout", "local-ack-timeout", "retries"})
    if (const InputNode* of_timeouts = map.find(key); of_timeouts && !packets.reliability.timeouts)
      throw InputError(of_timeouts->where,
                       fmt::format("the profile `{}` never sends anything again: leave `{}` out, or take "
                                   "another profile, such as `roce-v2`",
                                   profile_of(map), key));
  if (const InputNode* timeout = map.find("timeout"); timeout && packets.reliability.fixed_timeout_ps > 0)
    throw InputError(timeout->where, "the timeout is that of `local-ack-timeout`: leave one of the two out");
}

void refuse_wrong_thresholds(const InputNode& map, const SharedBufferSettings& buffer) {
  if (buffer.resume_below > buffer.pause_above)
    throw InputError(map.find("resume-below")->where,
                     fmt::format("`resume-below` ({}) is more than `pause-above` ({}): make it less",
                                 buffer.resume_below, buffer.pause_above));
  if (buffer.pause_above > 0 && buffer.resume_below == 0)
    throw InputError(
        map.find("resume-below")->where,
        "less than 0 packets never wait, so that a paused sender would not go on: give 1 or more "
        "as `resume-below`, or leave it out");
}

void refuse_short_queue(const InputNode& map, const PacketSettings& packets) {
  const InputNode* const queue = map.find("queue");
  const std::uint64_t packet = largest_packet(packets);
  if (queue && packets.buffer.queue > 0 && packets.buffer.queue < packet)
    throw InputError(queue->where,
                     fmt::format("a queue of {} bytes holds no packet of {} bytes: make `queue` larger, or "
                                 "packets smaller",
                                 packets.buffer.queue, packet));
}

void refuse_beside_steady_rates(const InputNode& map, const PacketSettings& packets) {
  if (packets.every_packet) return;
  const SourceLocation& where = map.find("every-packet")->where;
  if (packets.nic_pauses.times > 0)
    throw InputError(where,
                     "`every-packet: false` needs rates that last, and NICs pause now and then here: leave "
                     "it or `nic-pauses` out");
  const CongestionKind* const control = packets.congestion.kind;
  if (!control) return;
  if (control->grants)
    throw InputError(where,
                     fmt::format("`every-packet: false` needs rates that senders settle at, and under `{}` "
                                 "receivers grant packets: leave one of the two out",
                                 control->name));
  if (!packets.window.limited && control->recovers_slowly)
    throw InputError(where,
                     fmt::format("without a window{}, flows under `{}` recover over milliseconds from what "
                                 "was before, so that `every-packet: false` may be off by a quarter: leave "
                                 "it out, or give a `window`",
                                 whose_default(map, "window"), control->name));
}

void refuse_keys_of_others(const InputNode& map, const CongestionKind* control) {
  for (const InputName& key : map.names) {
    if (knows(control, key.text)) continue;
    std::string others;
    for (const auto& [name, other] : congestion_words)
      if (knows(other, key.text)) others += fmt::format("{}`{}`", others.empty() ? "" : ", ", name);
    if (!others.empty())
      throw InputError(key.where,
                       fmt::format("`{}` is for the congestion controls {}: choose one of them, or "
                                   "leave it out",
                                   key.text, others));
  }
}

void refuse_beside_profile(const InputNode& map, const PacketSettings& packets) {
  const PacketSizes& sizes = packets.sizes;
  if (sizes.payload < sizes.min_payload || sizes.payload > sizes.max_payload)
    throw InputError(map.find("payload")->where,
                     fmt::format("packets of the profile `{}` hold {} to {} bytes, not {}: change `payload`",
                                 profile_of(map), sizes.min_payload, sizes.max_payload, sizes.payload));
  if (!packets.flow_control->loses || packets.reliability.timeouts) return;
  const InputNode* const given = map.find("flow-control");
  throw InputError(given ? given->where : map.find("congestion-control")->where,
                   fmt::format("under the flow control `{}` switches lose packets, and the profile `{}` "
                               "never sends them again: take the profile `roce-v2`, or `flow-control: "
                               "pauses`",
                               packets.flow_control->name, profile_of(map)));
}

void refuse_useless_cores(const InputNode& map, const CongestionSettings& congestion) {
  if (const InputNode* cores = map.find("control-cores"); cores && congestion.control_time_ps == 0)
    throw InputError(
        cores->where,
        "the NIC runs the congestion control, so that no core works on it: give `control-time`, or "
        "leave `control-cores` out");
  if (const InputNode* time = map.find("control-time"); time && !congestion.kind)
    throw InputError(
        time->where,
        "there is no congestion control that a core could run: give `congestion-control`, or leave "
        "`control-time` out");
}

void refuse_beside_control(const InputNode& map, const PacketSettings& packets) {
  const CongestionKind* const control = packets.congestion.kind;
  refuse_useless_cores(map, packets.congestion);
  if (!control) return;
  const std::string whose = whose_default(map, "congestion-control");
  if (control->own_window && packets.reliability.kind == &go_back_n_reliability)
    throw InputError(map.find("reliability")->where,
                     fmt::format("under `{}`{} receivers keep what comes out of order: take "
                                 "`selective-repeat` or `duplicate-acks`",
                                 control->name, whose));
  if (control->needs_window && !packets.window.limited)
    throw InputError(map.find("window")->where,
                     fmt::format("the congestion control `{}` works out rates from a window: leave "
                                 "`window: none` out",
                                 control->name));
}

}  // namespace orrery::core
