// What happened in a run of traces.
#pragma once

#include <cstdint>
#include <vector>

#include "network/transport.hpp"
#include "simulate/recording.hpp"

namespace orrery {

struct RankRecording {
  std::vector<Interval> nodes;  // issue and finish, by node of its graph
  Time finish;
  Time gpu_time;  // of compute nodes that are not on the CPU, and of replayed ones
};

struct TraceRecording {
  std::vector<RankRecording> ranks;
  std::vector<std::uint32_t> finish_order;
  std::vector<LinkUse> links;
  std::uint64_t messages = 0;
  std::uint64_t events = 0;
};

}  // namespace orrery
