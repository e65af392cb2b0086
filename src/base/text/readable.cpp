#include "base/text/readable.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string_view>

namespace orrery::core {

namespace {

struct ReadableUnit {
  double size;
  std::string_view name;
};

constexpr ReadableUnit readable_times[] = {{1e-12, "ps"}, {1e-9, "ns"}, {1e-6, "us"},
                                           {1e-3, "ms"},  {1, "s"},     {3600, "h"}};
constexpr ReadableUnit readable_sizes[] = {{1, "B"},        {0x1p10, "KiB"}, {0x1p20, "MiB"},
                                           {0x1p30, "GiB"}, {0x1p40, "TiB"}, {0x1p50, "PiB"}};
constexpr ReadableUnit readable_counts[] = {{1, ""},    {1e3, "k"},  {1e6, "M"},
                                            {1e9, "G"}, {1e12, "T"}, {1e15, "P"}};

std::string four_digits(double value) {
  const double size = std::abs(value);
  return fmt::format("{:.{}f}", value, size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0);
}

// Chooses the largest unit of which the value, after rounding, is at least one. The smallest unit is never
// divided.
std::string in_units(double value, std::span<const ReadableUnit> units) {
  constexpr double rounds_to_one = 0.99995;
  std::size_t chosen = 0;
  while (chosen + 1 < units.size() && std::abs(value) >= units[chosen + 1].size * rounds_to_one) ++chosen;
  const double number = value / units[chosen].size;
  const std::string digits = chosen == 0 && std::abs(number - std::round(number)) < 1e-6
                                 ? fmt::format("{:.0f}", number)
                                 : four_digits(number);
  return units[chosen].name.empty() ? digits : fmt::format("{} {}", digits, units[chosen].name);
}

}  // namespace

std::string readable_seconds(double seconds) {
  return seconds == 0 ? "0 s" : in_units(seconds, readable_times);
}

std::string readable(Time time) {
  return readable_seconds(static_cast<double>(time.ps()) / 1e12);
}

std::string readable_bytes(double bytes) {
  return in_units(bytes, readable_sizes);
}

std::string readable_count(double count) {
  if (count == std::round(count) && std::abs(count) < 1e6) return fmt::format("{:.0f}", count);
  return in_units(count, readable_counts);
}

std::string readable_count(double count, std::string_view unit) {
  const std::string text = readable_count(count);
  const bool prefixed = text.find(' ') != std::string::npos;
  return fmt::format("{}{}{}", text, prefixed ? "" : " ", unit);
}

std::string readable_share(double share) {
  return fmt::format("{:.1f}%", share * 100);
}

}  // namespace orrery::core
