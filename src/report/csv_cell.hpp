// A text as a cell of a CSV file.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "base/printable.hpp"

namespace orrery {

// Spreadsheets take a cell for a formula that begins with one of these and goes on, unless it is a number.
inline bool is_formula(std::string_view text) {
  if (text.size() < 2 || std::string_view("=+-@").find(text[0]) == std::string_view::npos) return false;
  double number;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + (text[0] == '+' ? 1 : 0), end, number);
  return error != std::errc() || rest != end;
}

// Control characters are escaped, so that every line of the file is a row; a formula gets an apostrophe in
// front, which makes it text; what holds commas or quotes is quoted (RFC 4180).
inline std::string csv_cell(std::string_view text) {
  std::string cell = (is_formula(text) ? "'" : "") + printable(text);
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Appends the same. Timelines have hundreds of thousands of cells, nearly all of them words that stand for
// themselves.
inline void append_csv_cell(std::string& line, std::string_view text) {
  static constexpr auto is_plain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = ' '; c < 0x7f; ++c) plain[c] = c != ',' && c != '"';
    return plain;
  }();
  if (text.empty()) return;
  const char first = text[0];
  bool plain = first != '=' && first != '+' && first != '-' && first != '@';
  for (const char c : text) plain &= is_plain[static_cast<unsigned char>(c)];
  if (plain)
    line += text;
  else
    line += csv_cell(text);
}

}  // namespace orrery
