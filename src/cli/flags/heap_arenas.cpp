#include "cli/flags/heap_arenas.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <optional>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace orrery::core {

int arenas_that_fit(std::uint64_t address_space_bytes) {
  constexpr std::uint64_t bytes_of_an_arena = 128 << 20, most = 1 << 20;
  return static_cast<int>(std::clamp<std::uint64_t>(address_space_bytes / 4 / bytes_of_an_arena, 1, most));
}

int threads_that_fit(std::uint64_t address_space_bytes) {
  constexpr std::uint64_t bytes_of_a_thread = 32 << 20, most = 1 << 20;
  return static_cast<int>(std::clamp<std::uint64_t>(address_space_bytes / bytes_of_a_thread, 1, most));
}

namespace {

// Returns the bytes of addresses that this process may have; none: as many as there are.
std::optional<std::uint64_t> address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

}  // namespace

int threads_that_fit_limit() {
  return threads_that_fit(address_space().value_or(~std::uint64_t{0}));
}

void fit_arenas_to_limit() {
#ifdef __GLIBC__
  if (const auto bytes = address_space()) ::mallopt(M_ARENA_MAX, arenas_that_fit(*bytes));
#endif
}

}  // namespace orrery::core
