// Records what happened in a run of traces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/transport.hpp"
#include "simulate/recording.hpp"

namespace orrery {

struct RankRecording {
  std::vector<Interval> nodes;  // issue and finish, by node of its graph
  Time finish;
  Time gpu_time;  // time of compute nodes that are not on the CPU, and of replayed ones
};

struct TraceRecording {
  std::vector<RankRecording> ranks;  // one for all where they are equal
  std::vector<std::uint32_t> finish_order;
  std::string folding;  // what was not simulated message by message, or why everything was

  const RankRecording& of(std::size_t rank) const { return ranks[ranks.size() == 1 ? 0 : rank]; }
  std::vector<LinkUse> links;
  std::vector<SwitchUse> switches;  // where packets are simulated, the fullest first
  std::uint64_t messages = 0;
  std::uint64_t events = 0;
};

}  // namespace orrery
