// A collective algorithm that users bring along: what each position sends, receives and computes, and after
// what. (spec: ASTRA-sim 2, section 11)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/time.hpp"

namespace orrery {

struct CustomProgram {  // of one position
  enum class Kind : std::uint8_t { send, receive, compute };
  struct Step {
    Kind kind;
    std::uint32_t peer = 0;  // position
    Bytes bytes;
    std::uint64_t tag = 0;
    Time duration;  // of compute
  };
  std::vector<Step> steps;
  std::vector<std::uint32_t> first_child,
      children;                        // of step i: children[first_child[i] .. first_child[i + 1])
  std::vector<std::uint32_t> parents;  // how many step i has

  std::span<const std::uint32_t> children_of(std::uint32_t step) const {
    return std::span(children).subspan(first_child[step], first_child[step + 1] - first_child[step]);
  }
};

using CustomAlgorithm = std::vector<CustomProgram>;  // by position

}  // namespace orrery
