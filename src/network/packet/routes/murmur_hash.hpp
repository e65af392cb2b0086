// MurmurHash3 for 32 bits, by Austin Appleby, who put it into the public domain.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace orrery {

inline std::uint32_t murmur_hash(std::span<const std::uint32_t> words, std::uint32_t seed) {
  std::uint32_t hash = seed;
  for (std::uint32_t word : words) {
    word *= 0xcc9e2d51u;
    word = std::rotl(word, 15);
    word *= 0x1b873593u;
    hash ^= word;
    hash = std::rotl(hash, 13) * 5 + 0xe6546b64u;
  }
  hash ^= static_cast<std::uint32_t>(words.size_bytes());
  hash ^= hash >> 16;
  hash *= 0x85ebca6bu;
  hash ^= hash >> 13;
  hash *= 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

}  // namespace orrery
