// Joins tables that are known when they are compiled.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace orrery::core {

template <class Table>
inline constexpr std::size_t lines_in = std::tuple_size_v<Table>;
template <class Line, std::size_t count>
inline constexpr std::size_t lines_in<Line[count]> = count;

// Returns the lines of all tables, C arrays or std::array, one table behind the other.
template <class Line, class... Tables>
constexpr std::array<Line, (lines_in<Tables> + ...)> joined(const Tables&... tables) {
  std::array<Line, (lines_in<Tables> + ...)> all{};
  auto to = all.begin();
  ((to = std::ranges::copy(tables, to).out), ...);
  return all;
}

}  // namespace orrery::core
