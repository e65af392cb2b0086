// Sums up the loads that messages put on the links of a machine without going over every hop.
//
// In a ring, a route only marks where it begins and ends. settle() adds up what lies between.
#pragma once

#include <unordered_map>
#include <vector>

#include "network/link/link_map.hpp"
#include "network/link/link_speeds.hpp"
#include "network/link_use.hpp"

namespace orrery::core {

class LinkLoads {
 public:
  // Keeps a reference to the map.
  explicit LinkLoads(const LinkMap& map);

  // Adds the load to every link on the way between two NPUs, which must differ.
  void add(int source, int destination, const LinkLoad& load);

  // Must be called once, when everything has been added, and before the following functions.
  void settle();
  LinkLoad of(Link link) const;
  // Returns the use of every link of the machine.
  std::vector<LinkUse> uses(const LinkSpeeds& speeds) const;

 private:
  // Links of rings and switches by number, without those of fully connected dimensions, which can be many
  // more than carry anything.
  struct Part {
    Link first;
    std::vector<LinkLoad> loads;  // empty: fully connected
  };
  void add_around_ring(const HopCursor& cursor, const LinkLoad& load);
  void settle_ring(std::size_t dimension);

  const LinkMap& map_;
  std::vector<Part> parts_;
  std::unordered_map<Link, LinkLoad> between_pairs_;  // loads of fully connected dimensions
};

}  // namespace orrery::core
