// Messages by themselves: who sends how much to whom, and when.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "base/diagnostics.hpp"
#include "base/time.hpp"

namespace orrery {

struct Flow {
  int source = 0, destination = 0;  // NPUs, which differ
  Bytes bytes;
  Time start;                            // not before this, and
  std::vector<std::uint32_t> after;      // not before these flows have ended
  std::optional<std::uint32_t> channel;  // between two NPUs, as the network has them; none: one of its own
  std::optional<int> priority;           // none: that of all messages
  SourceLocation where;
};

}  // namespace orrery
