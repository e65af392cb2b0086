#include "base/sha256.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace orrery {

namespace {

using Words = std::array<std::uint32_t, 8>;

// Returns the first 32 bits behind the point of the roots of the first 64 primes.
template <class Root>
std::array<std::uint32_t, 64> bits_of_roots(Root root) {
  std::array<std::uint32_t, 64> bits{};
  std::size_t found = 0;
  for (int number = 2; found < bits.size(); ++number) {
    bool prime = true;
    for (int divisor = 2; prime && divisor * divisor <= number; ++divisor) prime = number % divisor != 0;
    if (!prime) continue;
    const double value = root(static_cast<double>(number));
    bits[found++] = static_cast<std::uint32_t>((value - std::floor(value)) * 0x1p32);
  }
  return bits;
}

std::uint32_t word_at(std::string_view bytes) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[i]);
  return word;
}

void add_block(Words& hash, std::string_view block) {
  static const std::array<std::uint32_t, 64> constants = bits_of_roots([](double x) { return std::cbrt(x); });
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
                                ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  const Words added{a, b, c, d, e, f, g, h};
  std::ranges::transform(hash, added, hash.begin(), std::plus<std::uint32_t>());
}

}  // namespace

std::string sha256(std::string_view content) {
  constexpr std::size_t block = 64;
  static const std::array<std::uint32_t, 64> roots = bits_of_roots([](double x) { return std::sqrt(x); });
  Words hash{};
  std::copy_n(roots.begin(), hash.size(), hash.begin());
  std::size_t at = 0;
  for (; at + block <= content.size(); at += block) add_block(hash, content.substr(at, block));
  // The last block holds the rest of the content, a bit, and the length in bits at its end.
  std::string rest(content.substr(at));
  rest += '\x80';
  rest.resize((rest.size() + 8 + block - 1) / block * block - 8);
  for (int shift = 56; shift >= 0; shift -= 8)
    rest += static_cast<char>(static_cast<std::uint64_t>(content.size()) * 8 >> shift & 0xff);
  for (at = 0; at < rest.size(); at += block) add_block(hash, std::string_view(rest).substr(at, block));
  std::string text;
  for (const std::uint32_t word : hash) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace orrery
