// Writes a text as a cell of a CSV file.
#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "base/printable.hpp"

namespace orrery {

// Spreadsheets take a cell for a formula if it begins with one of these characters and goes on, unless it is
// a number.
inline bool is_formula(std::string_view text) {
  if (text.size() < 2 || std::string_view("=+-@").find(text[0]) == std::string_view::npos) return false;
  double number;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + (text[0] == '+' ? 1 : 0), end, number);
  return error != std::errc() || rest != end;
}

// Returns the cell. Control characters are escaped, so that every line of the file is a row. A formula gets
// an apostrophe in front, which makes it text. Texts that hold commas or quotes are quoted (RFC 4180).
inline std::string csv_cell(std::string_view text) {
  std::string cell = (is_formula(text) ? "'" : "") + printable(text);
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Appends such a cell. Timelines have hundreds of thousands of cells, and nearly all of them are words that
// need no change.
inline void append_csv_cell(std::string& line, std::string_view text) {
  if (text.empty()) return;
  bool plain = text[0] != '=' && text[0] != '+' && text[0] != '-' && text[0] != '@';
  for (const char c : text) plain = plain && c >= ' ' && c < 0x7f && c != ',' && c != '"';
  if (plain)
    line += text;
  else
    line += csv_cell(text);
}

}  // namespace orrery
