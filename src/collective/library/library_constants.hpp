// Holds what a library file says (docs/inputs/systems.md, "Library files"): protocols, and classes of links
// with their bandwidth from the data sheet and the constants that are fitted to measurements.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "base/units/bytes.hpp"

namespace orrery::core {

// The simple protocol synchronizes each step of a piece. LL and LL128 send a flag with every 8 or 128 bytes
// instead, which takes less time but also bandwidth.
enum class Protocol : std::uint8_t { simple, ll128, ll };
inline constexpr std::array<EnumName<Protocol>, 3> protocol_words{{
    {"simple", Protocol::simple},
    {"ll128", Protocol::ll128},
    {"ll", Protocol::ll},
}};

struct ProtocolConstants {
  bool known = false;
  // Factors relative to the simple protocol: on a step inside a node, and on the bandwidth.
  double latency = 1;
  double bandwidth = 1;
  // `latency` and `bandwidth` of LL128 once all of its channels are full; bandwidth 0: it has no such regime.
  double full_latency = 1;
  double full_bandwidth = 0;
  // Of LL alone, whose flags of 8 bytes take the same time on all links: a factor on the launch, the times of
  // a step inside a node and between nodes with no data, and by what share they grow until a piece fills the
  // threads of a channel.
  double launch = 1;
  double step_seconds = 0;
  double hop_seconds = 0;
  double growth = 0;
};

// Links among the GPUs of a node.
struct InsideLink {
  std::string name;
  double bandwidth = 0;     // nominal, bytes per second of one GPU in one direction
  double efficiency = 1;    // share of `bandwidth` that a ring gets
  double step_seconds = 0;  // one step of a ring of 8 under the simple protocol
  // Time of the copy into the result, in steps of a ring's bandwidth that come on top of those that send.
  double copy_steps = 0;
  double switch_efficiency = 0;          // efficiency of reduction in the switches; 0: they cannot reduce
  double switch_seconds = 0;             // latency of reduction in the switches
  std::optional<double> launch_seconds;  // per collective, in place of the library's
  // Share of the bandwidth that rings of 2, 3, ... members get; larger rings have the last share. Empty: all
  // of it.
  std::vector<double> ring_shares;

  double ring_bandwidth(int members) const;  // efficiency included
  bool operator==(const InsideLink&) const = default;
};

// Network cards and the fabric between nodes.
struct BetweenLink {
  std::string name;
  double bandwidth = 0;  // nominal, bytes per second of one card in one direction
  double efficiency = 1;
  double step_seconds = 0;                // from node to node under the simple protocol
  double short_step_seconds = 0;          // under LL128
  std::optional<double> ll_step_seconds;  // under LL, in place of the library's
  // Under LL, what a collective of more than these bytes waits at each hop until the receiver is ready. The
  // other protocols' steps have that in them.
  double rendezvous_seconds = 0;
  Bytes eager;
  double switch_efficiency = 0;  // efficiency of reduction in the switches; 0: they cannot reduce

  bool operator==(const BetweenLink&) const = default;
};

struct LibraryConstants {
  std::string name;
  std::vector<std::string> sources;  // where its numbers come from
  double launch_seconds = 0;         // per collective
  double send_seconds = 0;           // per send with its receive
  double lone_call_seconds = 0;      // time that the host adds to a call that waited for the call before it
  // A step takes as long as the slowest of a ring's members: its time grows with (members / 8)^growth, up to
  // 8 members.
  double step_growth = 0;
  double tree_efficiency = 1;   // efficiency of trees inside a node, divided by that of rings
  double pairwise_inside = 1;   // efficiency of all-to-all inside a node, divided by that of rings
  double pairwise_between = 1;  // efficiency of all-to-all and sends between nodes
  std::array<ProtocolConstants, protocol_words.size()> protocols{{{true, 1, 1}, {}, {}}};
  std::vector<InsideLink> inside;
  std::vector<BetweenLink> between;

  const ProtocolConstants& operator[](Protocol protocol) const {
    return protocols[static_cast<std::size_t>(protocol)];
  }
};

}  // namespace orrery::core
