// Flows are messages by themselves: they say who sends how much to whom, and when.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/bytes.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

struct Flow {
  int source = 0, destination = 0;  // NPUs, which differ
  Bytes bytes;
  Time start;                        // the flow starts no earlier
  std::vector<std::uint32_t> after;  // the flow starts when these have ended, and no earlier
  // Channel between two NPUs, as the network has them; none: one of its own.
  std::optional<std::uint32_t> channel;
  std::optional<int> priority;  // none: the priority of all messages
  SourceLocation where;
};

}  // namespace orrery::core
