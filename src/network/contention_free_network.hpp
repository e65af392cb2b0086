// A network in which a message's duration depends on nothing but the message.
#pragma once

#include "base/units/bytes.hpp"
#include "events/clock.hpp"
#include "topology/group_kinds.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery::core {

class ContentionFreeNetwork {
 public:
  virtual ~ContentionFreeNetwork() = default;

  // The route of a message. Messages of equal size that go equal routes take equally long.
  struct Route {
    int dimension = -1;
    int hops = 0;
    double slowdown = 1;
    int nics = 2;               // that the message passes
    bool enters_switch = true;  // in a dimension of switches, it pays the latency of the router
    auto operator<=>(const Route&) const = default;
  };
  virtual Route route(int source, int destination) const = 0;

  // Returns the time from the first byte sent until the last one has arrived.
  virtual Stamp duration(int source, int destination, Bytes bytes) const = 0;

  // Returns the dimension of the topology that carries the message, or -1 when source and destination are the
  // same.
  virtual int carrying_dimension(int source, int destination) const = 0;

  // Returns whether all messages within a group of `group` whose positions differ by the same amount, counted
  // around the group, take equally long if no links are slow.
  virtual bool is_uniform(const LogicalDimension& group) const = 0;

  // Returns whether some NPU has slower links than others in the dimension that `group` lies in.
  virtual bool has_slow_links(const LogicalDimension& group) const = 0;
  // Returns the kinds of the groups of a dimension. Messages between equal positions of groups of one kind
  // take equally long.
  virtual GroupKinds kinds_of_groups(const LogicalDimension& group) const = 0;
};

}  // namespace orrery::core
