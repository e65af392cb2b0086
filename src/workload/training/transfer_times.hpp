// Says what the exchanges of a training take on a network that no library knows.
#pragma once

#include <cstdint>

#include "base/units/bytes.hpp"
#include "base/units/seconds.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

// Several threads may ask. The time of an exchange is that without exchanges of other kinds.
class TransferTimes {
 public:
  virtual ~TransferTimes() = default;

  // Returns what a collective takes on all groups of a communicator, which begin it together. The dimensions
  // of the communicator cross those of the network. Throws InputError where the network cannot carry it out.
  virtual Seconds collective(const CollectiveRequest& request, const Communicator& communicator) const = 0;
  // Returns what messages take from a stage's ranks, which send together, to those whose numbers are larger
  // by `distance`.
  virtual Seconds messages(Bytes bytes, std::uint64_t distance) const = 0;
};

}  // namespace orrery::core
