// Whoever carries out the collectives of a program.
#pragma once

#include <cstdint>

#include "collective/plan.hpp"

namespace orrery {

class CollectiveIssuer {
 public:
  // A simulated rank joins its next collective; all ranks issue the same ones in the same order. False when
  // nothing will happen as nobody else takes part; else the listener hears of `token` when it is complete.
  virtual bool issue(std::uint32_t rank, std::uint32_t token, const CollectiveRequest& request) = 0;

 protected:
  ~CollectiveIssuer() = default;
};

class CollectiveListener {
 public:
  // `token` as given to issue().
  virtual void collective_completed(std::uint32_t rank, std::uint32_t token) = 0;

 protected:
  ~CollectiveListener() = default;
};

}  // namespace orrery
