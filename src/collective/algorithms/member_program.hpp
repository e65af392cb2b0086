// A collective algorithm as programs, which say what each position sends, receives and computes, and after
// what. Users can bring such algorithms along (docs/models/streams.md, Custom algorithms), and rooted
// collectives are made into them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/units/bytes.hpp"
#include "base/units/time.hpp"
#include "program/graph_edges.hpp"

namespace orrery::core {

struct MemberProgram {  // program of one position
  // In `prepare`, bytes pass between NPU and network, which takes the endpoint delay or the bus, and are
  // reduced.
  enum class Kind : std::uint8_t { send, receive, compute, prepare };
  static constexpr std::uint32_t npu = 0xffffffff;
  struct Step {
    Kind kind;
    std::uint32_t peer = 0;  // position of the other end
    Bytes bytes = {};
    std::uint64_t tag = 0;
    Time duration = {};      // of compute, and of the reduction
    bool arrived = false;    // prepare: the bytes were received, and are not the member's own
    bool reduces = false;    // prepare
    bool passed_on = false;  // prepare: the bytes were received and are sent next
    // Number of the switch, among those of the group's reduction trees, for which the member does the step;
    // `npu`: it does it for itself. `peer_at` is the same of the other end of a message.
    std::uint32_t at = npu;
    std::uint32_t peer_at = npu;
  };
  std::vector<Step> steps;
  GraphEdges children;                 // children of each step
  std::vector<std::uint32_t> parents;  // how many parents step i has
  bool tagged = true;                  // messages carry their steps' tags, else that of the stream
  std::string_view name = "custom algorithm";
};

using CustomAlgorithm = std::vector<MemberProgram>;  // by position

}  // namespace orrery::core
