// The facts that MaxMinRates keeps about a resource that flows share.
#pragma once

#include <cstdint>
#include <vector>

#include "base/exact_sum.hpp"

namespace orrery::core {

struct ResourceUser {  // a route with flows, as a resource sees it
  std::uint32_t route, use;
};

// A load is what the members of others put on a resource, at the rates that it knows. A change of a level
// goes through many loads, which are therefore small.
struct alignas(32) ResourceLoad {
  ExactSum sum;
  double alert = 0;    // sum above which the resource has to be looked at
  double fastest = 0;  // no member of others that uses it is faster
};

struct SharedResource {
  double capacity;
  double level = 0;
  double told = 0;                      // level that roomy resources are told, which is no lower
  ExactSum weight;                      // of members and free flows
  std::uint32_t members = 0, free = 0;  // routes
  std::uint32_t looks = 0;              // in this settle()
  bool watched = false;                 // else roomy
  bool changed = false;                 // its level, since the last settle()
  std::vector<ResourceUser> users;
  bool grows() const { return members + free > 0; }
};

}  // namespace orrery::core
