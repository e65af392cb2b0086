// Thrown when the order of events within one instant, which a folded simulation does not know, would decide
// what happens. The message says when and where.
#pragma once

#include <stdexcept>

namespace orrery::core {

class AmbiguousEventOrder : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace orrery::core
