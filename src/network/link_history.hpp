// A history says what links have carried in each interval of a run, and what switches have held.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace orrery {

// What happened to the packets of a link in an interval.
struct PacketInterval {
  std::uint64_t bytes = 0;          // sent
  std::uint64_t longest_queue = 0;  // bytes that waited for it in a switch
  std::uint64_t drops = 0, marks = 0;

  PacketInterval& operator+=(const PacketInterval& next) {
    bytes += next.bytes;
    longest_queue = std::max(longest_queue, next.longest_queue);
    drops += next.drops;
    marks += next.marks;
    return *this;
  }
};

// What a switch has held at once, at most.
struct HeldInInterval {
  std::uint64_t peak = 0;  // bytes

  HeldInInterval& operator+=(const HeldInInterval& next) {
    peak = std::max(peak, next.peak);
    return *this;
  }
};

struct LinkSeries {
  std::string from, to;
  double bytes_per_ns = 0;    // that the link can carry
  std::vector<double> bytes;  // by interval, from the start on
  // Likewise; empty: the network knows no packets.
  std::vector<PacketInterval> packets = {};
};

struct SwitchSeries {
  std::string name;
  std::vector<HeldInInterval> held;  // by interval
};

struct LinkHistory {
  Time interval;                  // how long each is
  std::vector<LinkSeries> links;  // those that have carried most of what they can, the busiest first
  std::vector<SwitchSeries> switches = {};  // those that have held most, the fullest first
};

}  // namespace orrery
