#include "network/fluid/link_meter.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {

void LinkMeter::add(std::uint32_t link, double from_ns, double to_ns, double bytes_per_ns) {
  while (to_ns > interval_ns() * static_cast<double>(bytes_.most_intervals)) bytes_.double_interval();
  last_ns_ = std::max(last_ns_, to_ns);
  const double length = interval_ns();
  std::vector<double>& of = bytes_.all(link);
  for (auto i = static_cast<std::size_t>(from_ns / length); i < of.size(); ++i) {
    const double begin = static_cast<double>(i) * length;
    if (begin >= to_ns) return;
    of[i] += bytes_per_ns * std::max(0.0, std::min(to_ns, begin + length) - std::max(from_ns, begin));
  }
}

std::vector<double> LinkMeter::bytes(std::uint32_t link) const {
  return bytes_.first(link, static_cast<std::size_t>(std::ceil(last_ns_ / interval_ns())));
}

}  // namespace orrery
