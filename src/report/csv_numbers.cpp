#include "report/csv_numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

namespace orrery {

namespace {

// The characters of a number, which are put down from the last to the first.
class NumberWriter {
 public:
  void put(char c) { *--begin_ = c; }
  void put_digits(std::uint64_t number) {
    for (; number >= 100; number /= 100) put_pair(number % 100);
    if (number >= 10)
      put_pair(number);
    else
      put(static_cast<char>('0' + number));
  }
  // Puts exactly `count` digits, which the number must not have more of.
  void put_digits(std::uint64_t number, std::size_t count) {
    for (; count >= 2; count -= 2, number /= 100) put_pair(number % 100);
    if (count > 0) put(static_cast<char>('0' + number));
  }
  void append_to(std::string& text) const {
    text.append(begin_, static_cast<std::size_t>(buffer_.data() + buffer_.size() - begin_));
  }

 private:
  static constexpr std::array<std::array<char, 2>, 100> pairs = [] {
    std::array<std::array<char, 2>, 100> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10)};
    return all;
  }();

  void put_pair(std::uint64_t number) {
    put(pairs[number][1]);
    put(pairs[number][0]);
  }

  std::array<char, 48> buffer_;  // for a sign, a point and two numbers of 64 bits
  char* begin_ = buffer_.data() + buffer_.size();
};

constexpr std::array<std::uint64_t, 10> powers{1,       10,        100,        1'000,       10'000,
                                               100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

// Adds `number` / 10^`places` as the shortest form of that binary64 would be. Valid up to 15 digits, which
// are themselves that form, and where it has no exponent, so from 0.0001 on.
template <std::size_t places>
void append_scaled(std::string& text, std::uint64_t number) {
  NumberWriter writer;
  std::uint64_t rest = number % powers[places];
  if (rest > 0) {
    std::size_t digits = places;
    for (; rest % 10 == 0; rest /= 10) --digits;
    writer.put_digits(rest, digits);
    writer.put('.');
  }
  writer.put_digits(number / powers[places]);
  writer.append_to(text);
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
  NumberWriter writer;
  if (places > 0) {
    writer.put_digits(rounded % powers[places], places);
    writer.put('.');
  }
  writer.put_digits(rounded / powers[places]);
  if (value < 0 && rounded > 0) writer.put('-');
  writer.append_to(text);
  return true;
}

}  // namespace

void append_csv_number(std::string& text, std::uint64_t number) {
  NumberWriter writer;
  writer.put_digits(number);
  writer.append_to(text);
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
  constexpr std::int64_t most_exact_ps = 999'999'999'999'999;
  const std::int64_t ps = time.ps();
  const bool is_exact = ps >= 0 && ps <= most_exact_ps;
  if (unit == "ns")
    is_exact ? append_scaled<3>(text, static_cast<std::uint64_t>(ps)) : append_csv_real(text, time.ns(), -1);
  else if (is_exact && (ps == 0 || ps >= 100))
    append_scaled<6>(text, static_cast<std::uint64_t>(ps));
  else
    append_csv_real(text, time.us(), -1);
}

}  // namespace orrery
