// A network in which a message's duration depends on nothing but the message.
#pragma once

#include "base/bytes.hpp"
#include "events/clock.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery {

class ContentionFreeNetwork {
 public:
  virtual ~ContentionFreeNetwork() = default;

  // From the first byte sent until the last one has arrived.
  virtual Stamp duration(int source, int destination, Bytes bytes) const = 0;

  // The dimension of the topology that carries the message; -1 when source and destination are the same.
  virtual int carrying_dimension(int source, int destination) const = 0;

  // Whether messages within a group of `group` whose positions differ by the same amount, counted around the
  // group, all take equally long where no links are slow.
  virtual bool is_uniform(const LogicalDimension& group) const = 0;

  // Whether some NPU has slow links in the dimension that `group` lies in, and whether one of the members of
  // the group of NPU `base` (at position 0) has. Groups without are all alike.
  virtual bool has_slow_links(const LogicalDimension& group) const = 0;
  virtual bool has_slow_links(const LogicalDimension& group, int base) const = 0;
};

}  // namespace orrery
