// Whoever carries out the collectives of a program.
#pragma once

#include <cstdint>
#include <span>

#include "collective/plan.hpp"
#include "events/clock.hpp"

namespace orrery {

class CollectiveIssuer {
 public:
  // A simulated rank joins its next collective; all ranks issue the same ones in the same order. Returns
  // false when nothing will happen as nobody else takes part; else the listener hears of `token` when it is
  // complete. `at` is the present. If an executor looks ahead (simulate/executor.hpp), it can lie ahead of
  // that: then the rank is known to join at that time.
  virtual bool issue(std::uint32_t rank, std::uint32_t token, const CollectiveRequest& request, Stamp at) = 0;

 protected:
  ~CollectiveIssuer() = default;
};

class CollectiveListener {
 public:
  // The collective issued with `token` is complete on the rank.
  virtual void collective_completed(std::uint32_t rank, std::uint32_t token) = 0;
  // Called instead for ranks that complete it in the same instant. The span stays valid.
  virtual void collective_completed_together(std::span<const std::uint32_t> ranks, std::uint32_t token) {
    for (const std::uint32_t rank : ranks) collective_completed(rank, token);
  }

 protected:
  ~CollectiveListener() = default;
};

}  // namespace orrery
