#include "report/astra1/grid_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace orrery::core {

GridFile::GridFile(std::size_t rows, std::size_t columns) : lines_(rows, Line{{}, columns}) {}

GridFile::GridFile(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::vector<std::string>& cells = lines_.emplace_back().cells;
    for (std::size_t comma; (comma = line.find(',')) != std::string_view::npos;
         line.remove_prefix(comma + 1)) {
      cells.emplace_back(line.substr(0, comma));
    }
    cells.emplace_back(line);
    lines_.back().columns = cells.size();
  }
}

void GridFile::insert(std::size_t row, std::size_t column, std::string_view text) {
  Line& line = lines_.at(row);
  if (column >= line.cells.size()) line.cells.resize(column + 1);
  line.columns = std::max(line.columns, line.cells.size());
  line.cells[column].insert(0, text);
}

void GridFile::insert(std::size_t row, std::size_t column, double value) {
  insert(row, column, grid_number(value));
}

void GridFile::clear(std::size_t row) {
  lines_.at(row).cells.clear();
}

std::string GridFile::text() const {
  std::string out;
  for (const Line& line : lines_) {
    for (std::size_t i = 0; i < line.cells.size(); ++i) {
      if (i > 0) out += ',';
      out += line.cells[i];
    }
    const std::size_t commas = std::max(line.columns, std::size_t{1}) - 1;
    out.append(commas - (std::max(line.cells.size(), std::size_t{1}) - 1), ',');
    out += '\n';
  }
  return out;
}

std::string grid_number(double value) {
  std::string text;
  append_grid_number(text, value);
  return text;
}

void append_grid_number(std::string& text, double value) {
  if (std::isnan(value)) {  // the original prints the undefined average of nothing, 0/0, with its sign
    text += "-nan";
    return;
  }
  // Most numbers of the utilization files, which have a hundred thousand lines, are whole; those go a shorter
  // way.
  constexpr double exact = 1e15;
  constexpr std::string_view no_decimals = ".000000";
  std::array<char, 400> digits;  // enough for the largest double
  char* const begin = digits.data();
  if (std::abs(value) < exact && value == std::trunc(value) && !(value == 0 && std::signbit(value))) {
    char* end = std::to_chars(begin, begin + digits.size(), static_cast<std::int64_t>(value)).ptr;
    end = std::copy(no_decimals.begin(), no_decimals.end(), end);
    text.append(begin, static_cast<std::size_t>(end - begin));
    return;
  }
  const char* const end = std::to_chars(begin, begin + digits.size(), value, std::chars_format::fixed, 6).ptr;
  text.append(begin, static_cast<std::size_t>(end - begin));
}

}  // namespace orrery::core
