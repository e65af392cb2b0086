#include "base/unreachable.hpp"

#include <cstdio>
#include <cstdlib>

namespace orrery {

void unreachable(const char* sentence) {
  std::fprintf(stderr, "orrery: a fault of the program: %s\n", sentence);
  std::abort();
}

}  // namespace orrery
