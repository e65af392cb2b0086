#include "cli/heap_arenas.hpp"

#include <sys/resource.h>

#include <algorithm>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace orrery {

int arenas_that_fit(std::uint64_t address_space_bytes) {
  constexpr std::uint64_t bytes_of_an_arena = 128 << 20, most = 1 << 20;
  return static_cast<int>(std::clamp<std::uint64_t>(address_space_bytes / 4 / bytes_of_an_arena, 1, most));
}

void fit_arenas_to_limit() {
#ifdef __GLIBC__
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    ::mallopt(M_ARENA_MAX, arenas_that_fit(limit.rlim_cur));
#endif
}

}  // namespace orrery
