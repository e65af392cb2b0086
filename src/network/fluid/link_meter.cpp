#include "network/fluid/link_meter.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {

void LinkMeter::double_interval() {
  interval_ns_ *= 2;
  for (std::vector<double>& of : bytes_) {
    if (of.empty()) continue;
    for (std::size_t i = 0; i < most_intervals / 2; ++i) of[i] = of[2 * i] + of[2 * i + 1];
    std::fill(of.begin() + most_intervals / 2, of.end(), 0.0);
  }
}

void LinkMeter::add(std::uint32_t link, double from_ns, double to_ns, double bytes_per_ns) {
  while (to_ns > interval_ns_ * most_intervals) double_interval();
  last_ns_ = std::max(last_ns_, to_ns);
  std::vector<double>& of = bytes_[link];
  of.resize(most_intervals);
  for (auto i = static_cast<std::size_t>(from_ns / interval_ns_); i < most_intervals; ++i) {
    const double begin = static_cast<double>(i) * interval_ns_;
    if (begin >= to_ns) return;
    of[i] += bytes_per_ns * std::max(0.0, std::min(to_ns, begin + interval_ns_) - std::max(from_ns, begin));
  }
}

std::vector<double> LinkMeter::bytes(std::uint32_t link) const {
  std::vector<double> of = bytes_[link];
  if (!of.empty()) of.resize(static_cast<std::size_t>(std::ceil(last_ns_ / interval_ns_)));
  return of;
}

}  // namespace orrery
