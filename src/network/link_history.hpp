// A history says what links have carried in each interval of a run, and what switches have held.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units/time.hpp"

namespace orrery::core {

// What happened to the packets of a link in an interval.
struct PacketInterval {
  std::uint64_t bytes = 0;          // number of bytes that were sent
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

// The most that a switch has held at once in an interval.
struct HeldInInterval {
  std::uint64_t peak = 0;  // bytes

  HeldInInterval& operator+=(const HeldInInterval& next) {
    peak = std::max(peak, next.peak);
    return *this;
  }
};

struct LinkSeries {
  std::string from, to;
  std::string level;          // of the network: the name of its dimension, or as LinkLevels has it
  double bytes_per_ns = 0;    // rate at which the link can carry bytes
  std::vector<double> bytes;  // by interval, from the start on
  // The packets of the link by interval. It is empty if the network knows no packets.
  std::vector<PacketInterval> packets = {};
};

struct SwitchSeries {
  std::string name;
  std::vector<HeldInInterval> held;  // by interval
};

struct LinkHistory {
  Time interval;  // how long each is
  // Links that have carried most of what they can, as many of each level as there is room for, the busiest
  // first.
  std::vector<LinkSeries> links;
  std::vector<SwitchSeries> switches = {};  // switches that have held most, the fullest first
};

}  // namespace orrery::core
