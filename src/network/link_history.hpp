// A history says what links have carried in each interval of a run.
#pragma once

#include <string>
#include <vector>

#include "base/time.hpp"

namespace orrery {

struct LinkSeries {
  std::string from, to;
  double bytes_per_ns = 0;    // that the link can carry
  std::vector<double> bytes;  // by interval, from the start on
};

struct LinkHistory {
  Time interval;                  // how long each is
  std::vector<LinkSeries> links;  // those that have carried most of what they can, the busiest first
};

}  // namespace orrery
