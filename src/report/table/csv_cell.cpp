#include "report/table/csv_cell.hpp"

#include <array>
#include <charconv>
#include <system_error>

#include "base/diagnostics/printable.hpp"

namespace orrery::core {

namespace {

// Spreadsheets take a cell for a formula that begins with one of these.
bool may_begin_formula(char c) {
  return c == '=' || c == '+' || c == '-' || c == '@';
}

}  // namespace

// A formula goes on behind its first character, and is not a number.
bool is_formula(std::string_view text) {
  if (text.size() < 2 || !may_begin_formula(text[0])) return false;
  double number;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + (text[0] == '+' ? 1 : 0), end, number);
  return error != std::errc() || rest != end;
}

std::string csv_cell(std::string_view text) {
  std::string cell = (is_formula(text) ? "'" : "") + printable_utf8(text);
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Timelines have hundreds of thousands of cells, nearly all of them words that stand for themselves.
void append_csv_cell(std::string& line, std::string_view text) {
  static constexpr auto is_plain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = ' '; c < 0x7f; ++c) plain[c] = c != ',' && c != '"';
    return plain;
  }();
  if (text.empty()) return;
  bool plain = !may_begin_formula(text[0]);
  for (const char c : text) plain &= is_plain[static_cast<unsigned char>(c)];
  if (plain)
    line += text;
  else
    line += csv_cell(text);
}

}  // namespace orrery::core
