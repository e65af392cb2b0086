// Numbers as they stand in CSV files. Timelines hold hundreds of thousands, so most are written by integers,
// which takes a tenth of the formatting library's time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/units/time.hpp"

namespace orrery::core {

// These functions add a number to a text.

void append_csv_number(std::string& text, std::int64_t number);
void append_csv_number(std::string& text, std::uint64_t number);
// Writes the shortest form from which the binary64 can be read back if `decimals` is negative, else so many
// decimals, rounded to the nearest.
void append_csv_real(std::string& text, double value, int decimals);
// Writes nanoseconds if the unit is "ns", else microseconds, in the shortest form of their binary64.
void append_csv_time(std::string& text, Time time, std::string_view unit);

}  // namespace orrery::core
