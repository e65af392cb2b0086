#include "base/text/quantity.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/diagnostics/words.hpp"

namespace orrery::core {
namespace {

// The name of a kind of quantity, and what to write for it.
struct Kind {
  const char* article_and_name;
  const char* example;
  const char* units;
  const char* largest = "";
};
constexpr Kind time_kind{"a time", "500 ns", "ps, ns, us, ms, s, min or h", "720 h"};
constexpr Kind size_kind{"a size", "16 MiB",
                         "B, KB, MB, GB, TB, PB (10^3 each) or KiB, MiB, GiB, TiB, PiB (2^10 each)", "8 PiB"};
constexpr Kind bandwidth_kind{
    "a bandwidth", "25 GB/s",
    "MB/s, GB/s, TB/s (decimal bytes), MiB/s, GiB/s, TiB/s (binary bytes) or Mb/s, Gb/s, Tb/s (bits)"};
constexpr Kind rate_kind{"a compute rate", "312 TFLOP/s",
                         "GFLOP/s, TFLOP/s, PFLOP/s (decimal) or GiFLOP/s, TiFLOP/s, PiFLOP/s (binary)"};
constexpr Kind frequency_kind{"a frequency", "1 GHz", "Hz, kHz, MHz or GHz"};

struct Quantity {
  std::string_view number, unit;
};

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// A value, or why the text is no such quantity.
template <class Value>
struct Reading {
  std::optional<Value> value;
  std::string why_not = {};
};
template <class Value>
Reading<Value> no(std::string why) {
  return {std::nullopt, std::move(why)};
}

template <class Value>
Value value_or_throw(const Reading<Value>& reading, std::string_view text, const SourceLocation& where,
                     const Kind& kind) {
  if (reading.value) return *reading.value;
  throw InputError(where, backquoted(text) + " " + reading.why_not + "; write " + kind.article_and_name +
                              " such as `" + kind.example + "`, in " + kind.units);
}

// Returns the length of the number at the beginning of `text`; 0 if there is none.
std::size_t number_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
  if (end == 0 || end == text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
  std::size_t exponent = end + 1;
  if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
  const std::size_t digits = exponent;
  while (exponent < text.size() && is_digit(text[exponent])) ++exponent;
  return exponent > digits ? exponent : end;
}

Reading<Quantity> split(std::string_view text) {
  std::string_view rest = text;
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
  if (rest.starts_with('-')) return no<Quantity>("is negative");
  if (rest.starts_with('+')) rest.remove_prefix(1);
  const std::size_t length = number_length(rest);
  if (length == 0) return no<Quantity>("does not begin with a number");
  Quantity parts{rest.substr(0, length), rest.substr(length)};
  while (!parts.unit.empty() && is_blank(parts.unit.front())) parts.unit.remove_prefix(1);
  if (parts.unit.empty()) return no<Quantity>("has no unit");
  return {parts};
}

// digits * 10^exponent, so that fractions of a unit do not pass through binary.
struct Decimal {
  std::uint64_t digits;
  int exponent;
};

std::optional<Decimal> parse_decimal(std::string_view number) {
  Decimal decimal{0, 0};
  bool after_point = false;
  std::size_t i = 0, digits = 0;
  for (; i < number.size() && (is_digit(number[i]) || number[i] == '.'); ++i) {
    if (number[i] == '.') {
      if (after_point) return std::nullopt;
      after_point = true;
      continue;
    }
    ++digits;
    const auto digit = static_cast<std::uint64_t>(number[i] - '0');
    if (decimal.digits > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) return std::nullopt;
    decimal.digits = decimal.digits * 10 + digit;
    if (after_point) --decimal.exponent;
  }
  if (digits == 0) return std::nullopt;
  if (i == number.size()) return decimal;
  i += number[i + 1] == '+' ? 2 : 1;
  int exponent = 0;
  const auto [end, error] = std::from_chars(number.data() + i, number.data() + number.size(), exponent);
  if (error != std::errc() || std::abs(exponent) > 10000) return std::nullopt;
  decimal.exponent += exponent;
  return decimal;
}

__extension__ using Wide = unsigned __int128;

// number * unit to the nearest whole number, up to `largest`.
Reading<std::uint64_t> scale_exactly(std::string_view number, std::uint64_t unit, std::uint64_t largest,
                                     const Kind& kind) {
  const std::optional<Decimal> decimal = parse_decimal(number);
  if (!decimal) return no<std::uint64_t>("is not a number of at most 19 digits");
  Wide value = static_cast<Wide>(decimal->digits) * unit;
  bool half = false;
  for (int e = decimal->exponent; e > 0 && value > 0 && value <= largest; --e) value *= 10;
  for (int e = decimal->exponent; e < 0 && (value > 0 || half); ++e) {
    half = value % 10 >= 5;
    value /= 10;
  }
  value += half ? 1 : 0;
  if (value > largest) return no<std::uint64_t>(std::string("is more than ") + kind.largest);
  if (value == 0 && decimal->digits > 0) return no<std::uint64_t>("is too small");
  return {static_cast<std::uint64_t>(value)};
}

Reading<double> positive_number(std::string_view number) {
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error == std::errc::result_out_of_range) return no<double>("is out of range");
  if (error != std::errc() || end != number.data() + number.size()) return no<double>("is not a number");
  if (value <= 0) return no<double>("has to be above zero");
  return {value};
}

constexpr std::uint64_t kilo = 1000, kibi = 1024;
constexpr std::array<EnumName<std::uint64_t>, 7> time_units{{
    {"ps", 1},
    {"ns", kilo},
    {"us", kilo* kilo},
    {"ms", kilo* kilo* kilo},
    {"s", kilo* kilo* kilo* kilo},
    {"min", 60 * kilo* kilo* kilo* kilo},
    {"h", 3600 * kilo* kilo* kilo* kilo},
}};
constexpr std::array<EnumName<std::uint64_t>, 11> size_units{{
    {"B", 1},
    {"KB", kilo},
    {"MB", kilo* kilo},
    {"GB", kilo* kilo* kilo},
    {"TB", kilo* kilo* kilo* kilo},
    {"PB", kilo* kilo* kilo* kilo* kilo},
    {"KiB", kibi},
    {"MiB", kibi* kibi},
    {"GiB", kibi* kibi* kibi},
    {"TiB", kibi* kibi* kibi* kibi},
    {"PiB", kibi* kibi* kibi* kibi* kibi},
}};

// A value in GB/s or GiB/s is value * times / divided_by. One of the two factors is 1, so that there is only
// one rounding.
struct BandwidthUnit {
  double times, divided_by;
  bool binary;
};
constexpr std::array<EnumName<BandwidthUnit>, 25> bandwidth_units{{
    {"KB/s", {1, 1e6, false}},     {"MB/s", {1, 1e3, false}},     {"GB/s", {1, 1, false}},
    {"TB/s", {1e3, 1, false}},     {"PB/s", {1e6, 1, false}},     {"KiB/s", {1, 1048576, true}},
    {"MiB/s", {1, 1024, true}},    {"GiB/s", {1, 1, true}},       {"TiB/s", {1024, 1, true}},
    {"PiB/s", {1048576, 1, true}}, {"Kb/s", {1, 8e6, false}},     {"Mb/s", {1, 8e3, false}},
    {"Gb/s", {1, 8, false}},       {"Tb/s", {125, 1, false}},     {"Pb/s", {125e3, 1, false}},
    {"Kbit/s", {1, 8e6, false}},   {"Mbit/s", {1, 8e3, false}},   {"Gbit/s", {1, 8, false}},
    {"Tbit/s", {125, 1, false}},   {"Pbit/s", {125e3, 1, false}}, {"Kbps", {1, 8e6, false}},
    {"Mbps", {1, 8e3, false}},     {"Gbps", {1, 8, false}},       {"Tbps", {125, 1, false}},
    {"Pbps", {125e3, 1, false}},
}};

constexpr std::array<EnumName<double>, 4> frequency_units{
    {{"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}}};

constexpr std::array<EnumName<double>, 13> rate_prefixes{{
    {"", 1},
    {"K", 1e3},
    {"M", 1e6},
    {"G", 1e9},
    {"T", 1e12},
    {"P", 1e15},
    {"E", 1e18},
    {"Ki", 1024.0},
    {"Mi", 1024.0 * 1024},
    {"Gi", 1024.0 * 1024 * 1024},
    {"Ti", 1024.0 * 1024 * 1024 * 1024},
    {"Pi", 1024.0 * 1024 * 1024 * 1024 * 1024},
    {"Ei", 1024.0 * 1024 * 1024 * 1024 * 1024 * 1024},
}};

std::string is_no(const Kind& kind) {
  return "is not " + std::string(kind.article_and_name);
}

// Reads a whole multiple of the least unit, up to `largest`.
template <class Table>
Reading<std::uint64_t> read_whole(const Table& units, std::string_view text, std::uint64_t largest,
                                  const Kind& kind) {
  const Reading<Quantity> parts = split(text);
  if (!parts.value) return no<std::uint64_t>(parts.why_not);
  const std::optional<std::uint64_t> unit = value_of(units, parts.value->unit);
  if (!unit) return no<std::uint64_t>(is_no(kind));
  return scale_exactly(parts.value->number, *unit, largest, kind);
}

// Reads a number above 0 that has a unit, which `unit_of(name)` finds. `scale(number, unit)` is the value.
template <class UnitOf, class Scale>
Reading<double> read_real(std::string_view text, const UnitOf& unit_of, const Scale& scale, double least,
                          double largest, const Kind& kind) {
  const Reading<Quantity> parts = split(text);
  if (!parts.value) return no<double>(parts.why_not);
  const auto unit = unit_of(parts.value->unit);
  if (!unit) return no<double>(is_no(kind));
  const Reading<double> number = positive_number(parts.value->number);
  if (!number.value) return number;
  const double value = scale(*number.value, *unit);
  if (value > largest || value < least) return no<double>("is out of range");
  return {value};
}

Reading<Time> read_time(std::string_view text) {
  const auto largest = static_cast<std::uint64_t>(Time::longest_input().ps());
  const Reading<std::uint64_t> ps = read_whole(time_units, text, largest, time_kind);
  if (!ps.value) return no<Time>(ps.why_not);
  return {Time::from_ps(static_cast<std::int64_t>(*ps.value))};
}

Reading<Bytes> read_bytes(std::string_view text) {
  const Reading<std::uint64_t> bytes = read_whole(size_units, text, largest_size.count(), size_kind);
  if (!bytes.value) return no<Bytes>(bytes.why_not);
  return {Bytes(*bytes.value)};
}

Reading<Bandwidth> read_bandwidth(std::string_view text) {
  bool binary = false;
  const Reading<double> value = read_real(
      text, [](std::string_view name) { return value_of(bandwidth_units, name); },
      [&](double number, const BandwidthUnit& unit) {
        binary = unit.binary;
        return number * unit.times / unit.divided_by;
      },
      1e-12, 1e12, bandwidth_kind);
  if (!value.value) return no<Bandwidth>(value.why_not);
  return {binary ? Bandwidth::from_gib_per_s(*value.value) : Bandwidth::from_gb_per_s(*value.value)};
}

double times(double number, double unit) {
  return number * unit;
}

std::optional<double> rate_unit(std::string_view unit) {
  std::string_view prefix = unit;
  if (prefix.ends_with("FLOP/s"))
    prefix.remove_suffix(6);
  else if (prefix.ends_with("FLOPS"))
    prefix.remove_suffix(5);
  return prefix.size() < unit.size() ? value_of(rate_prefixes, prefix) : std::nullopt;
}

Reading<double> read_flops(std::string_view text) {
  return read_real(text, rate_unit, times, 1, 1e30, rate_kind);
}

Reading<double> read_frequency(std::string_view text) {
  return read_real(
      text, [](std::string_view name) { return value_of(frequency_units, name); }, times, 1, 1e15,
      frequency_kind);
}

}  // namespace

Time parse_time(std::string_view text, const SourceLocation& where) {
  return value_or_throw(read_time(text), text, where, time_kind);
}
Bytes parse_bytes(std::string_view text, const SourceLocation& where) {
  return value_or_throw(read_bytes(text), text, where, size_kind);
}
Bandwidth parse_bandwidth(std::string_view text, const SourceLocation& where) {
  return value_or_throw(read_bandwidth(text), text, where, bandwidth_kind);
}
double parse_flops(std::string_view text, const SourceLocation& where) {
  return value_or_throw(read_flops(text), text, where, rate_kind);
}
double parse_frequency(std::string_view text, const SourceLocation& where) {
  return value_or_throw(read_frequency(text), text, where, frequency_kind);
}

std::optional<Time> time_in(std::string_view text) {
  return read_time(text).value;
}
std::optional<Bytes> bytes_in(std::string_view text) {
  return read_bytes(text).value;
}
std::optional<Bandwidth> bandwidth_in(std::string_view text) {
  return read_bandwidth(text).value;
}
std::optional<double> flops_in(std::string_view text) {
  return read_flops(text).value;
}
std::optional<double> frequency_in(std::string_view text) {
  return read_frequency(text).value;
}

}  // namespace orrery::core
