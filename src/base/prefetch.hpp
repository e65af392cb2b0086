// Hints for the caches.
#pragma once

#include <cstddef>

namespace orrery {

// Has the processor fetch `count` objects in a row that are needed soon. Changes nothing but how long that
// takes then.
template <class T>
void prefetch(const T* first, std::size_t count = 1) {
  constexpr std::size_t cache_line = 64;
  const auto* bytes = reinterpret_cast<const char*>(first);
  for (std::size_t i = 0; i < count * sizeof(T); i += cache_line) __builtin_prefetch(bytes + i);
}

}  // namespace orrery
