// What messages put on the links of a machine, summed up without going over every hop.
//
// In a ring, a way only marks where it begins and ends; settle() adds up what lies between.
#pragma once

#include <unordered_map>
#include <vector>

#include "network/link/link_map.hpp"
#include "network/link/link_speeds.hpp"
#include "network/link_use.hpp"

namespace orrery {

class LinkLoads {
 public:
  // Keeps a reference.
  explicit LinkLoads(const LinkMap& map);

  // Along the whole way from NPU to NPU, which differ.
  void add(int source, int destination, const LinkLoad& load);

  // To be called once, when all is added. After it:
  void settle();
  LinkLoad of(Link link) const;
  // Of every link of the machine.
  std::vector<LinkUse> uses(const LinkSpeeds& speeds) const;

 private:
  // Links of rings and switches by number, without those of dimensions that are fully connected: they can be
  // many more than carry anything.
  struct Part {
    Link first;
    std::vector<LinkLoad> loads;  // empty: fully connected
  };
  void add_around_ring(const Course& course, const LinkLoad& load);
  void settle_ring(std::size_t dimension);

  const LinkMap& map_;
  std::vector<Part> parts_;
  std::unordered_map<Link, LinkLoad> between_pairs_;  // where fully connected
};

}  // namespace orrery
