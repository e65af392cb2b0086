// Links that the same flows use, taken together.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "network/fluid/fair_rates.hpp"
#include "network/link/link_map.hpp"

namespace orrery {

// Links of one dimension that every flow uses equally often limit flows equally, so one stands for all of
// them. A flow here is all that is sent at the same time by NPUs in step: it uses a link as often as their
// messages pass it. Links that no flow uses belong to no class.
class LinkClasses {
 public:
  // Keeps a reference. `bytes_per_ns`: of a link, by dimension.
  LinkClasses(const LinkMap& map, std::vector<double> bytes_per_ns)
      : map_(map), bytes_per_ns_(std::move(bytes_per_ns)) {}

  // Adds a flow that uses each of `links`, as often as it stands there. Returns its number, counted from 0.
  // Classes of which it uses some links only are cut in two.
  std::uint32_t add(std::vector<Link> links);

  // Returns the capacity of a link, in bytes per ns, by class.
  const std::vector<double>& capacities() const { return capacities_; }
  // Returns the classes that a flow uses. The reference is valid until the next flow is added.
  const std::vector<ResourceUse>& uses(std::uint32_t flow) const { return uses_[flow]; }

 private:
  using Class = std::uint32_t;
  Class new_class(std::uint64_t links, double capacity);

  const LinkMap& map_;
  std::vector<double> bytes_per_ns_;
  std::unordered_map<Link, Class> class_of_;
  std::vector<std::uint64_t> links_;  // how many they are, by class
  std::vector<double> capacities_;
  std::vector<std::vector<ResourceUse>> uses_;  // by flow
};

}  // namespace orrery
