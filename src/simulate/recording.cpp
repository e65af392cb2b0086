#include "simulate/recording.hpp"

#include <algorithm>

namespace orrery {

Time Recording::end() const {
  Time end;
  for (const Time one : finish) end = std::max(end, one);
  return end;
}

}  // namespace orrery
