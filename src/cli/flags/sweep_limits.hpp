// Reads the flags that say which part of a sweep is simulated.
#pragma once

#include <optional>
#include <string>

#include "study/sweep/sweep.hpp"

namespace orrery::core {

// What --limit says: so many runs, or so many seconds.
struct SweepLimit {
  std::optional<std::size_t> runs;
  std::optional<double> seconds;
};

// Reads "1000" or "10 min". Throws InputError.
SweepLimit limit_of_flag(const std::string& text);
// Reads "2/8", the second of eight equal parts, which has every eighth run. Throws InputError.
RunChoice shard_of_flag(const std::string& text);

}  // namespace orrery::core
