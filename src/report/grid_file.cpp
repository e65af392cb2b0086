#include "report/grid_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery {

GridFile::GridFile(std::size_t rows, std::size_t columns) : lines_(rows, std::vector<std::string>(columns)) {}

GridFile::GridFile(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    lines_.emplace_back();
    for (std::size_t comma; (comma = line.find(',')) != std::string_view::npos;
         line.remove_prefix(comma + 1)) {
      lines_.back().emplace_back(line.substr(0, comma));
    }
    lines_.back().emplace_back(line);
  }
}

void GridFile::insert(std::size_t row, std::size_t column, std::string_view text) {
  auto& cells = lines_.at(row);
  if (column >= cells.size()) cells.resize(column + 1);
  cells[column].insert(0, text);
}

void GridFile::insert(std::size_t row, std::size_t column, double value) {
  insert(row, column, grid_number(value));
}

void GridFile::clear(std::size_t row) {
  for (std::string& cell : lines_.at(row)) cell.clear();
}

std::string GridFile::text() const {
  std::string out;
  for (const auto& cells : lines_) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) out += ',';
      out += cells[i];
    }
    out += '\n';
  }
  return out;
}

// The original prints the undefined average of nothing, 0/0, with its sign.
std::string grid_number(double value) {
  return std::isnan(value) ? "-nan" : fmt::format("{:f}", value);
}

}  // namespace orrery
