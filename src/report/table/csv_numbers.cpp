#include "report/table/csv_numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <iterator>

namespace orrery::core {

namespace {

constexpr auto digit_pairs = [] {
  std::array<std::array<char, 2>, 100> all{};
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10)};
  return all;
}();

// A number is put down from its last character to its first: these functions put something in front of `at`
// and return where it begins. The place is handed on as a value, because compilers must take it for changed
// by every character where it stands in memory.
char* put(char* at, char c) {
  *--at = c;
  return at;
}
char* put_pair(char* at, std::uint64_t number) {
  at -= 2;
  std::memcpy(at, digit_pairs[number].data(), 2);
  return at;
}
char* put_digits(char* at, std::uint64_t number) {
  for (; number >= 100; number /= 100) at = put_pair(at, number % 100);
  return number >= 10 ? put_pair(at, number) : put(at, static_cast<char>('0' + number));
}
// Puts exactly `count` digits, which the number must not have more of.
char* put_digits(char* at, std::uint64_t number, std::size_t count) {
  for (; count >= 2; count -= 2, number /= 100) at = put_pair(at, number % 100);
  return count > 0 ? put(at, static_cast<char>('0' + number)) : at;
}

// Adds a number that `write` puts in front of the place it is given. It has room for a sign, a point and two
// numbers of 64 bits.
void append_number(std::string& text, auto&& write) {
  std::array<char, 48> buffer;
  char* const end = buffer.data() + buffer.size();
  const char* const begin = write(end);
  text.append(begin, static_cast<std::size_t>(end - begin));
}

constexpr std::array<std::uint64_t, 10> powers{1,       10,        100,        1'000,       10'000,
                                               100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

// Adds `number` / 10^`places` as the shortest form of that binary64 would be. Valid up to 15 digits, which
// are themselves that form, and where it has no exponent, so from 0.0001 on.
template <std::size_t places>
void append_scaled(std::string& text, std::uint64_t number) {
  append_number(text, [number](char* at) {
    std::uint64_t rest = number % powers[places];
    if (rest > 0) {
      std::size_t digits = places;
      for (; rest % 10 == 0; rest /= 10) --digits;
      at = put(put_digits(at, rest, digits), '.');
    }
    return put_digits(at, number / powers[places]);
  });
}

// Returns whether it could write the number. It cannot where the value is large, or so close to the middle of
// two decimals that its product with a power of ten does not tell on which side it is.
bool append_fixed(std::string& text, double value, std::size_t places) {
  if (places >= powers.size()) return false;
  const double scaled = std::abs(value) * static_cast<double>(powers[places]);
  if (!(scaled < 0x1p40)) return false;
  const auto whole = static_cast<std::uint64_t>(scaled);
  const double beyond_half = scaled - static_cast<double>(whole) - 0.5;
  if (std::abs(beyond_half) < 0x1p-12) return false;  // the product is exact to 2^-14
  const std::uint64_t rounded = whole + (beyond_half > 0 ? 1 : 0);
  append_number(text, [&](char* at) {
    if (places > 0) at = put(put_digits(at, rounded % powers[places], places), '.');
    at = put_digits(at, places > 0 ? rounded / powers[places] : rounded);
    return value < 0 && rounded > 0 ? put(at, '-') : at;
  });
  return true;
}

}  // namespace

void append_csv_number(std::string& text, std::uint64_t number) {
  append_number(text, [number](char* at) { return put_digits(at, number); });
}

void append_csv_number(std::string& text, std::int64_t number) {
  if (number < 0) text += '-';
  const auto bits = static_cast<std::uint64_t>(number);
  append_csv_number(text, number < 0 ? 0 - bits : bits);
}

void append_csv_real(std::string& text, double value, int decimals) {
  if (decimals < 0)
    fmt::format_to(std::back_inserter(text), "{}", value);
  else if (!append_fixed(text, value, static_cast<std::size_t>(decimals)))
    fmt::format_to(std::back_inserter(text), "{:.{}f}", value, decimals);
}

void append_csv_time(std::string& text, Time time, std::string_view unit) {
  constexpr std::int64_t max_exact_ps = 999'999'999'999'999;
  const std::int64_t ps = time.ps();
  const bool is_exact = ps >= 0 && ps <= max_exact_ps;
  if (unit == "ns")
    is_exact ? append_scaled<3>(text, static_cast<std::uint64_t>(ps)) : append_csv_real(text, time.ns(), -1);
  else if (is_exact && (ps == 0 || ps >= 100))
    append_scaled<6>(text, static_cast<std::uint64_t>(ps));
  else
    append_csv_real(text, time.us(), -1);
}

}  // namespace orrery::core
