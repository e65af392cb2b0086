// Hints for the caches.
#pragma once

#include <cstddef>

namespace orrery::core {

// Tells the processor to fetch `count` objects in a row that are needed soon. This changes nothing but how
// long the later access takes.
template <class T>
void prefetch(const T* first, std::size_t count = 1) {
  constexpr std::size_t cache_line = 64;
  const auto* bytes = reinterpret_cast<const char*>(first);
  for (std::size_t i = 0; i < count * sizeof(T); i += cache_line) __builtin_prefetch(bytes + i);
}

}  // namespace orrery::core
