// Writes numbers as people read them on a terminal, with four digits and a unit that fits. Files hold exact
// numbers instead.
#pragma once

#include <string>
#include <string_view>

#include "base/units/bytes.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

// Returns "9.395 s", "418.2 us" or "0 s"; the units are ps, ns, us, ms, s and h.
std::string readable(Time time);
std::string readable_seconds(double seconds);

// Returns "512 B", "1.500 KiB" or "74.51 GiB".
std::string readable_bytes(double bytes);
inline std::string readable(Bytes bytes) {
  return readable_bytes(bytes.as_double());
}

// Returns whole numbers below a million as they are, larger ones as "158.5 k" or "1.049 M".
std::string readable_count(double count);
// Returns a count with its unit: "411.8 kFLOP/s", "2 FLOP".
std::string readable_count(double count, std::string_view unit);

// Returns "12.3%" for a share of 0.123.
std::string readable_share(double share);

}  // namespace orrery::core
