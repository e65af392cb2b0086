// Reports that a simulation cannot go on.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.hpp"

namespace orrery {

// Throws StallError with the first lines, `most` of them.
[[noreturn]] inline void throw_stall(const std::vector<std::string>& lines, std::size_t most) {
  std::string text = "the simulation cannot go on:";
  for (std::size_t i = 0; i < lines.size() && i < most; ++i) text += "\n  " + lines[i];
  if (lines.size() > most) text += "\n  and " + std::to_string(lines.size() - most) + " more";
  throw StallError(text);
}

}  // namespace orrery
