// A collective algorithm as programs: what each position sends, receives and computes, and after what. Users
// bring such along (docs/models/streams.md, Custom algorithms); rooted collectives are made into such.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/time.hpp"
#include "program/graph_edges.hpp"

namespace orrery {

struct MemberProgram {  // of one position
  // `prepare`: bytes pass between NPU and network, which takes the endpoint delay or the bus, and are
  // reduced.
  enum class Kind : std::uint8_t { send, receive, compute, prepare };
  struct Step {
    Kind kind;
    std::uint32_t peer = 0;  // position
    Bytes bytes = {};
    std::uint64_t tag = 0;
    Time duration = {};      // of compute, and of the reduction
    bool arrived = false;    // prepare: bytes that were received, not own ones
    bool reduces = false;    // prepare
    bool passed_on = false;  // prepare: arrived bytes that are sent next
  };
  std::vector<Step> steps;
  GraphEdges children;                 // of each step
  std::vector<std::uint32_t> parents;  // how many step i has
  bool tagged = true;                  // messages carry their steps' tags, else that of the stream
  std::string_view name = "custom algorithm";
};

using CustomAlgorithm = std::vector<MemberProgram>;  // by position

}  // namespace orrery
