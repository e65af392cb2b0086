#include "base/diagnostics/unreachable.hpp"

#include <stdexcept>

namespace orrery::core {

void unreachable(const char* sentence) {
  throw std::logic_error(sentence);
}

}  // namespace orrery::core
