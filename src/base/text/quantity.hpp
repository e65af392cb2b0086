// Reads numbers with units, as users write them: "500 ns", "16 MiB", "25 GiB/s", "46 TFLOP/s".
//
// A number is decimal, with an optional fraction and exponent; blanks may stand before the unit. Units are
// case-sensitive: GB is 10^9 bytes, GiB is 2^30. A number without a unit, a negative or infinite one and one
// out of range throw an InputError at `where` that says what to write instead.
#pragma once

#include <optional>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/bandwidth.hpp"
#include "base/units/bytes.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

// Reads a time in ps ns us ms s min h. Rounded to the nearest picosecond; at most Time::longest_input().
Time parse_time(std::string_view text, const SourceLocation& where);

// The largest size a user may ask for: 8 PiB, as far as a double counts exactly.
inline constexpr Bytes largest_size = Bytes::largest_input();

// Reads a size in B KB MB GB TB PB, KiB MiB GiB TiB PiB. Rounded to the nearest byte; at most largest_size.
Bytes parse_bytes(std::string_view text, const SourceLocation& where);

// Reads a bandwidth in KB/s ... PB/s, KiB/s ... PiB/s, Kbit/s ... Pbit/s (also spelt Kbps ...). Keeps the
// binary units binary. Above zero.
Bandwidth parse_bandwidth(std::string_view text, const SourceLocation& where);

// Reads operations per second: FLOP/s with K M G T P E before it (10^3 each) or Ki Mi Gi Ti Pi Ei (2^10
// each), also spelt FLOPS. Above zero.
double parse_flops(std::string_view text, const SourceLocation& where);

// Reads a frequency in Hz kHz MHz GHz and returns it in Hz. Above zero.
double parse_frequency(std::string_view text, const SourceLocation& where);

// Return what the functions above do, and nothing where those throw.
std::optional<Time> time_in(std::string_view text);
std::optional<Bytes> bytes_in(std::string_view text);
std::optional<Bandwidth> bandwidth_in(std::string_view text);
std::optional<double> flops_in(std::string_view text);
std::optional<double> frequency_in(std::string_view text);

}  // namespace orrery::core
