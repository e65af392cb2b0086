// The kinds of flow control that users can choose. A new one is a FlowControlKind in a file of its own, and a
// line here.
#pragma once

#include <array>

#include "base/diagnostics/words.hpp"
#include "network/packet/flow_control/flow_control.hpp"

namespace orrery::core {

struct Topology;

struct FlowControlKind {
  std::string_view name;
  bool loses = false;  // it loses packets for which there is no room
  // Packets for which there is no room go on as headers, before everything else.
  bool trims = false;
  // Lanes have buffers of their own; otherwise the ports of a switch share one.
  bool lanes = false;
  std::string_view held_as = {};  // what is said of a lane or priority that may not send
  // Throws InputError where a network has no room for packets, and warns where they may be lost. Null: there
  // is nothing to check.
  void (*check)(const Topology& topology, const PacketSettings& settings, Warnings& warnings) = nullptr;
  FlowControl (*make)(const FlowControlParts& parts) = nullptr;
};

extern const FlowControlKind pause_flow_control;
extern const FlowControlKind credit_flow_control;
extern const FlowControlKind no_flow_control;
extern const FlowControlKind trimming_flow_control;

inline constexpr std::array<EnumName<const FlowControlKind*>, 4> flow_control_words{{
    {"pauses", &pause_flow_control},
    {"credits", &credit_flow_control},
    {"trimming", &trimming_flow_control},
    {"none", &no_flow_control},
}};

}  // namespace orrery::core
