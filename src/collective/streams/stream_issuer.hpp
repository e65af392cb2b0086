// Whoever carries out the collectives of execution traces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collective/streams/stream_config.hpp"

namespace orrery {

class StreamListener {
 public:
  // The collective issued with `token` is finished on the rank.
  virtual void collective_finished(std::uint32_t rank, std::uint32_t token) = 0;

 protected:
  ~StreamListener() = default;
};

class StreamIssuer {
 public:
  virtual ~StreamIssuer() = default;

  // A rank starts its next collective. Throws InputError, and CollectiveError when the collective itself is
  // at fault.
  virtual void issue(std::uint32_t rank, std::uint32_t token, const StreamRequest& request) = 0;
  // Returns the number of streams that a rank has started in a group.
  virtual std::uint64_t issued_streams(std::uint32_t rank, std::uint64_t tag_base) const = 0;
  // For a stalled run: returns what the rank's collectives wait for, a line each.
  virtual std::vector<std::string> waiting(std::uint32_t rank) const = 0;
};

}  // namespace orrery
