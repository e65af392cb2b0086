#include "network/message_time.hpp"

#include <fmt/format.h>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

void check_message_time(double ns, Bytes bytes, std::string_view name, std::string_view over) {
  constexpr double longest_ns = 10.0 * 86'400e9;
  if (ns <= longest_ns) return;  // not so for NaN
  throw InputError({}, fmt::format("a message of {} bytes {} '{}' takes more than ten days, check "
                                   "the units of its bandwidth and latency",
                                   bytes.count(), over, name));
}

}  // namespace orrery::core
