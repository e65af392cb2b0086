// Holds what a library file says (docs/inputs/systems.md, "Library files"): protocols, and classes of links
// with their bandwidth from the data sheet and the constants that are fitted to measurements.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "base/units/bytes.hpp"
#include "collective/library/backend.hpp"
#include "program/collective_request.hpp"

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

enum class LibraryAlgorithm : std::uint8_t {
  ring,
  tree,
  nvls,
  sharp,
  pairwise,
  recursive_doubling,
  recursive_halving,
  halving_doubling,
  neighbor_exchange,
  binomial,
  scatter_doubling,
  scatter_ring,
};
inline constexpr std::array<EnumName<LibraryAlgorithm>, 12> library_algorithm_words{{
    {"ring", LibraryAlgorithm::ring},  // through all members
    {"tree", LibraryAlgorithm::tree},  // chains in nodes, a double binary tree over nodes
    // Reduction by the switches in nodes, and the double binary tree over nodes.
    {"nvls", LibraryAlgorithm::nvls},
    {"sharp", LibraryAlgorithm::sharp},        // reduction by the switches between nodes
    {"pairwise", LibraryAlgorithm::pairwise},  // every member sends to every other
    // The following are those of MPI (message_algorithms.hpp).
    {"recursive-doubling", LibraryAlgorithm::recursive_doubling},
    {"recursive-halving", LibraryAlgorithm::recursive_halving},
    {"halving-doubling", LibraryAlgorithm::halving_doubling},
    {"neighbor-exchange", LibraryAlgorithm::neighbor_exchange},
    {"binomial", LibraryAlgorithm::binomial},
    {"scatter-doubling", LibraryAlgorithm::scatter_doubling},
    {"scatter-ring", LibraryAlgorithm::scatter_ring},
}};

// Links among the GPUs of a node, or the memory through which the processes of a host exchange data.
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
  double stream_bandwidth = 0;  // the most that a member can send, whatever the links carry; 0: no limit
  double sum_bandwidth = 0;     // bytes per second that a member adds up with a core; 0: it takes no time
  // As many members of a node as the host's memory feeds at full speed. The copies and sums of more take
  // longer in proportion. 0: it feeds any number.
  double full_speed_members = 0;

  double ring_bandwidth(int members) const;  // efficiency included
  // Returns the seconds in which each of a node's members adds up `bytes`.
  double sum_seconds(double bytes, int members) const;
  bool operator==(const InsideLink&) const = default;

 private:
  // Returns how much longer a member's copies and sums take than those of a member alone.
  double crowding(int members) const;
};

// Network cards and the fabric between nodes.
struct BetweenLink {
  std::string name;
  double bandwidth = 0;  // nominal, bytes per second of one card in one direction
  double efficiency = 1;
  double stream_bandwidth = 0;    // the most that a member can send, whatever the cards carry; 0: no limit
  double step_seconds = 0;        // from node to node under the simple protocol
  double short_step_seconds = 0;  // under LL128
  std::optional<double> ll_step_seconds;  // under LL, in place of the library's
  // Under LL, what a collective of more than these bytes waits at each hop until the receiver is ready. The
  // other protocols' steps have that in them.
  double rendezvous_seconds = 0;
  Bytes eager;
  double switch_efficiency = 0;  // efficiency of reduction in the switches; 0: they cannot reduce

  bool operator==(const BetweenLink&) const = default;
};

// The algorithms among which a library chooses for one kind of collective.
using AlgorithmList = std::vector<LibraryAlgorithm>;

struct LibraryConstants {
  std::string name;
  std::optional<Backend> backend;  // what PyTorch has of it; none: everything
  Buffers buffers = Buffers::gpu;  // where buffers are, unless a user says it
  // By CollectiveKind. Empty: NCCL's, which transfer_demand.cpp has.
  std::array<AlgorithmList, collective_kinds> algorithms;
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
  // Bytes per second at which memory is obtained for a call's large temporary buffers, and at which buffers
  // of GPUs are copied to the host or back; 0: this takes no time.
  double allocation_bandwidth = 0;
  double staging_bandwidth = 0;
  std::array<ProtocolConstants, protocol_words.size()> protocols{{{true, 1, 1}, {}, {}}};
  std::vector<InsideLink> inside;
  std::vector<BetweenLink> between;

  const AlgorithmList& algorithms_of(CollectiveKind kind) const {
    return algorithms[static_cast<std::size_t>(kind)];
  }
  const ProtocolConstants& operator[](Protocol protocol) const {
    return protocols[static_cast<std::size_t>(protocol)];
  }
};

}  // namespace orrery::core
