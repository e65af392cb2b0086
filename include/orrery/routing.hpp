// Routings of one's own: how messages choose among the routes through a graph that have the fewest links.
//
//   class LastLink : public orrery::Routing {
//     std::size_t choose(const orrery::RoutingPoint& at) const override { return at.links.size() - 1; }
//   };
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "orrery/time.hpp"

namespace orrery {

// A link by which a message may go on, in its direction.
struct RoutingLink {
  std::size_t number = 0, to = 0;  // of the link among all links, and of the node to which it leads
  double bandwidth = 0;            // bytes per second
  // How long this link and those of the least busy route behind it need for what is under way over them. 0
  // for a routing that does not look at loads.
  Time load = {};
};

// A node that a message leaves.
struct RoutingPoint {
  std::size_t node = 0;  // its number
  std::uint64_t hash =
      0;  // of the message, the seed of the run and this node: equal messages have equal ones
  std::span<const RoutingLink> links = {};  // at least one; all lie on routes of the fewest links
};

// Chooses a route for each message, link by link. A user asks for it by `routing: NAME`. Several threads may
// use one.
class Routing {
 public:
  virtual ~Routing() = default;
  // Returns whether it looks at loads, which costs time.
  virtual bool looks_at_loads() const { return false; }
  // Returns the place of a link in the list; the same for equal points. What it throws ends the run as an
  // error.
  virtual std::size_t choose(const RoutingPoint& at) const = 0;
};

}  // namespace orrery
