// Generates seeded random numbers that are the same on every machine and compiler (the standard distributions
// are not).
#pragma once

#include <cstdint>
#include <vector>

namespace orrery::core {

// SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  // Returns a number from `least` to `most`, both included. The bias of the remainder is far below what
  // anyone here could notice.
  int between(int least, int most) {
    return least + static_cast<int>(next() % static_cast<std::uint64_t>(most - least + 1));
  }
  // Returns a uniform number in [0, 1), a multiple of 2^-53.
  double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[next() % from.size()];
  }

 private:
  std::uint64_t state_;
};

}  // namespace orrery::core
