// Adds up what links carry in intervals of equal length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/interval_series.hpp"

namespace orrery {

class LinkMeter {
 public:
  explicit LinkMeter(std::size_t links) : bytes_(links, 1) {}

  // A link has carried so much at a constant rate, from one time to another.
  void add(std::uint32_t link, double from_ns, double to_ns, double bytes_per_ns);

  double interval_ns() const { return bytes_.interval_ns(); }
  // Returns the bytes of each interval, up to the last one in which any link carried something; nothing of a
  // link that never did.
  std::vector<double> bytes(std::uint32_t link) const;

 private:
  IntervalSeries<double> bytes_;  // by link
  double last_ns_ = 0;
};

}  // namespace orrery
