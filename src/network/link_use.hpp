// Records what links have carried in a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units/bytes.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

struct LinkLoad {
  Bytes bytes;
  std::uint64_t messages = 0;

  auto operator<=>(const LinkLoad&) const = default;
  LinkLoad& operator+=(const LinkLoad& other) {
    bytes += other.bytes;
    messages += other.messages;
    return *this;
  }
  LinkLoad& operator-=(const LinkLoad& other) {
    bytes -= other.bytes;
    messages -= other.messages;
    return *this;
  }
  friend LinkLoad operator+(LinkLoad a, const LinkLoad& b) { return a += b; }
  friend LinkLoad operator*(const LinkLoad& load, std::uint64_t n) {
    return {load.bytes * n, load.messages * n};
  }
};

// What happened to packets at a link.
struct PacketLinkUse {
  std::uint64_t packets = 0;           // sent
  std::uint64_t drops = 0, marks = 0;  // lost, and marked by a switch
  // How often the other end made a priority pause, and for how long at least one of them paused.
  std::uint64_t pauses = 0;
  Time paused = {};
  // How often a lane lacked credits, and for how long at least one of them did.
  std::uint64_t credit_waits = 0;
  Time credit_waiting = {};
  Bytes longest_queue = {};  // bytes that waited for it
  double mean_queue = 0;     // bytes that waited for it, averaged over the run
  std::uint64_t trims = 0;   // packets that lost their payload because there was no room for it
  Bytes resent = {};         // bytes of data that an NPU sent for a second time or more often
};

// What happened to flits at a wire.
struct FlitLinkUse {
  std::uint64_t packets = 0, flits = 0;  // carried
  std::uint64_t longest_line = 0;        // most flits that stood in line for it, behind the crossbar
  // The most virtual channels of a vnet at its end that had packets at once, and the most flits that one of
  // them held.
  std::uint64_t max_channels = 0, fullest_channel = 0;
  std::uint64_t stalled_cycles = 0;  // cycles in which a packet waited for a buffer at its end
  double mean_flits = 0;             // flits in the buffers at its end, averaged over the run
};

// The nodes where a link begins and ends: "npu3", "switch16".
using LinkEnds = std::pair<std::string, std::string>;

inline constexpr std::uint64_t max_listed_links = 2048;  // links of a network that can be drawn link by link

// A set of links of one dimension that have carried equally much.
struct LinkUse {
  std::string from, to;  // ends of the first of these links
  int dimension = 0;
  std::uint64_t links = 1;  // number of these links
  LinkLoad load;            // load of each link
  // Time for which each link was busy with its bytes. If messages pass one another, it is the time that they
  // would have taken back to back, which may exceed the run.
  Time busy;
  std::optional<PacketLinkUse> of_packets = {};  // none: the network knows no packets
  std::optional<FlitLinkUse> of_flits = {};      // none: the network knows no flits
  // The ends of all links of the set, if there are several, if it is known which they are, and if the network
  // has no more links than max_listed_links.
  std::vector<LinkEnds> listed = {};
};

}  // namespace orrery::core
