#include "report/profile/files/kineto_event.hpp"

#include <charconv>
#include <cmath>

namespace orrery::core {

namespace {

constexpr double largest_whole = 9e18;
constexpr std::size_t decimals = 6;

}  // namespace

std::optional<ExactNumber> ExactNumber::of(double value, std::string_view digits) {
  if (!(std::abs(value) < largest_whole)) return std::nullopt;
  ExactNumber number;
  const bool negative = digits.starts_with('-');
  const std::size_t point = digits.find('.');
  if (digits.find_first_of("eE") != std::string_view::npos || point == std::string_view::npos) {
    number.whole = static_cast<std::int64_t>(value);
    number.millionths = std::llround((value - static_cast<double>(number.whole)) * 1e6);
    return number;
  }
  std::from_chars(digits.data(), digits.data() + point, number.whole);
  std::string fraction(digits.substr(point + 1));
  const bool rounds_up = fraction.size() > decimals && fraction[decimals] >= '5';
  fraction.resize(decimals, '0');
  std::from_chars(fraction.data(), fraction.data() + decimals, number.millionths);
  number.millionths += rounds_up ? 1 : 0;
  if (negative) number.millionths = -number.millionths;
  return number;
}

}  // namespace orrery::core
