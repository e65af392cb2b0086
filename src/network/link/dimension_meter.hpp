// Adds up what the links of dimensions carry when.
#pragma once

#include "network/link/link_map.hpp"
#include "network/link/link_speeds.hpp"
#include "network/link_meter.hpp"

namespace orrery::core {

class DimensionMeter {
 public:
  // Keeps references. Throws InputError when the machine has too many links.
  DimensionMeter(const Topology& topology, const LinkMap& map, const LinkSpeeds& speeds);

  // Says that a link has carried bytes at a constant rate, from one time to another.
  void add(Link link, double from_ns, double to_ns, double bytes_per_ns) {
    meter_.add(LinkId(link), from_ns, to_ns, bytes_per_ns);
  }
  LinkHistory history() const;

 private:
  const Topology& topology_;
  const LinkMap& map_;
  const LinkSpeeds& speeds_;
  LinkMeter meter_;
};

}  // namespace orrery::core
