// Adds up what links carry in intervals of equal length, of which there are never more than 128: when time
// goes on, they become twice as long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery {

class LinkMeter {
 public:
  explicit LinkMeter(std::size_t links) : bytes_(links) {}

  // A link has carried so much at a constant rate, from one time to another.
  void add(std::uint32_t link, double from_ns, double to_ns, double bytes_per_ns);

  double interval_ns() const { return interval_ns_; }
  // Returns the bytes of each interval, up to the last one in which any link carried something; nothing of a
  // link that never did.
  std::vector<double> bytes(std::uint32_t link) const;

 private:
  static constexpr std::size_t most_intervals = 128;

  void double_interval();

  double interval_ns_ = 1;
  double last_ns_ = 0;
  std::vector<std::vector<double>> bytes_;  // by link and interval; empty until it carries something
};

}  // namespace orrery
