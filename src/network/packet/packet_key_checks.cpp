#include "network/packet/packet_key_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/diagnostics.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/reliability/reliability_kinds.hpp"

namespace orrery {

namespace {

bool knows(const CongestionKind* control, std::string_view key) {
  return control && std::ranges::find(control->keys, key) != control->keys.end();
}

}  // namespace

void refuse_beside_trimming(const InputNode& map, const PacketSettings& packets) {
  const bool trims = packets.flow_control->trims;
  for (const std::string_view key : {"buffer", "pause-above", "resume-below"})
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
    throw InputError(pauses->where,
                     fmt::format("under the flow control `{}` nobody pauses: leave `nic-pauses` out, or take "
                                 "`pauses` or `credits`",
                                 packets.flow_control->name));
}

void refuse_useless(const InputNode& map, const PacketSettings& packets) {
  const bool lanes = packets.flow_control->lanes;
  for (const std::string_view key : {"buffer", "pause-above", "resume-below", "queue"})
    if (const InputNode* of_ethernet = map.find(key); of_ethernet && lanes)
      throw InputError(of_ethernet->where,
                       fmt::format("with credits every lane of a link has a buffer of its own, from which "
                                   "nothing is lost: leave `{}` out, or give `credits: {{ buffer: ... }}`",
                                   key));
  if (const InputNode* credits = map.find("credits"); credits && !lanes)
    throw InputError(credits->where,
                     fmt::format("the flow control `{}` knows no `credits`: leave them out, or add "
                                 "`flow-control: credits`",
                                 packets.flow_control->name));
  for (const std::string_view key : {"pause-above", "resume-below"})
    if (const InputNode* pauses = map.find(key); pauses && packets.flow_control->loses)
      throw InputError(pauses->where,
                       fmt::format("under the flow control `{}` nobody pauses: leave `{}` out, or take "
                                   "`flow-control: pauses`",
                                   packets.flow_control->name, key));
  for (const std::string_view key : {"timeout", "local-ack-timeout", "retries"})
    if (const InputNode* of_timeouts = map.find(key); of_timeouts && !packets.reliability.timeouts)
      throw InputError(of_timeouts->where,
                       fmt::format("this profile never sends anything again: leave `{}` out, or take another "
                                   "profile, such as `roce-v2`",
                                   key));
  if (const InputNode* timeout = map.find("timeout"); timeout && packets.reliability.fixed_timeout_ps > 0)
    throw InputError(timeout->where,
                     "the timeout is that of `local-ack-timeout`, as the profile `infiniband` has one: leave "
                     "`timeout` out");
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
                     fmt::format("without a window, flows under `{}` recover over milliseconds from what was "
                                 "before, so that `every-packet: false` may be off by a quarter: leave it "
                                 "or `window: none` out",
                                 control->name));
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

}  // namespace orrery
