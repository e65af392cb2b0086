// What a link has carried in a run.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.hpp"
#include "base/time.hpp"

namespace orrery {

struct LinkUse {
  // Its ends: "npu3", "switch16". In a network without links, "npu3" and the dimension's name stand for the
  // NPU's port into that dimension.
  std::string from, to;
  int dimension = 0;
  // How long its bytes kept it, or where messages pass one another, would have kept it back to back: then it
  // may exceed the run.
  Time busy;
  Bytes bytes;
  std::uint64_t messages = 0;
};

}  // namespace orrery
