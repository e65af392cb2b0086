// Adds up what links carry in intervals of equal length.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "network/interval_series.hpp"
#include "network/link_history.hpp"
#include "network/link_use.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// Functions from a link's number to what a history says about it in addition to the bytes that it carries.
struct MeteredLinks {
  std::function<double(LinkId)> bytes_per_ns;  // rate at which a link can carry bytes
  std::function<LinkEnds(LinkId)> ends;
  std::function<std::string(LinkId)> level;  // of the network
};

class LinkMeter {
 public:
  explicit LinkMeter(std::size_t links) : links_(links), bytes_(links, 1) {}

  // Says that a link has carried bytes at a constant rate, from one time to another.
  void add(LinkId link, double from_ns, double to_ns, double bytes_per_ns);

  double interval_ns() const { return bytes_.interval_ns(); }
  // Returns the bytes of each interval, up to the last one in which any link carried something. Returns
  // nothing for a link that never did.
  std::vector<double> bytes(LinkId link) const;

  // Returns what the busiest links have carried, as many links of each level as there is room for. Among
  // equally busy links those with the lowest numbers come first.
  LinkHistory history(const MeteredLinks& links) const;

 private:
  std::size_t links_;
  IntervalSeries<double> bytes_;  // by link
  double last_ns_ = 0;
};

}  // namespace orrery::core
