#include "base/encoding/sha256.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <utility>

namespace orrery::core {

namespace {

using Words = std::array<std::uint32_t, 8>;

constexpr std::size_t block_size = 64;

// The first 32 bits behind the point of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t word_at(std::string_view bytes) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[i]);
  return word;
}

void add_block(Words& hash, std::string_view block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i) w[i] = word_at(block.substr(4 * i));
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                ((e & f) ^ (~e & g)) + round_constants[i] + w[i];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  const Words added{a, b, c, d, e, f, g, h};
  std::ranges::transform(hash, added, hash.begin(), std::plus<std::uint32_t>());
}

}  // namespace

void Sha256::add(std::string_view piece) {
  bytes_ += piece.size();
  if (!rest_.empty()) {
    const std::size_t more = std::min(block_size - rest_.size(), piece.size());
    rest_ += piece.substr(0, more);
    piece.remove_prefix(more);
    if (rest_.size() < block_size) return;
    add_block(hash_, rest_);
    rest_.clear();
  }
  for (; piece.size() >= block_size; piece.remove_prefix(block_size))
    add_block(hash_, piece.substr(0, block_size));
  rest_ = piece;
}

// The last block holds the rest of the content, a bit, and the length in bits at its end.
std::string Sha256::digits() {
  std::string last = std::move(rest_);
  last += '\x80';
  last.resize((last.size() + 8 + block_size - 1) / block_size * block_size - 8);
  for (int shift = 56; shift >= 0; shift -= 8) last += static_cast<char>(bytes_ * 8 >> shift & 0xff);
  for (std::size_t at = 0; at < last.size(); at += block_size)
    add_block(hash_, std::string_view(last).substr(at, block_size));
  std::string text;
  for (const std::uint32_t word : hash_) text += fmt::format("{:08x}", word);
  return text;
}

std::string sha256(std::string_view content) {
  Sha256 hash;
  hash.add(content);
  return hash.digits();
}

}  // namespace orrery::core
