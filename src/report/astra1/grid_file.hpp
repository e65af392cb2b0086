// ASTRA-sim 1.0's result tables have a fixed number of lines and commas, into which runs insert their cells
// (docs/models/reports.md, Tables that runs share).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::core {

class GridFile {
 public:
  // Makes an empty table.
  GridFile(std::size_t rows, std::size_t columns);
  // Reads a table that an earlier run has written.
  explicit GridFile(std::string_view text);

  std::size_t rows() const { return lines_.size(); }
  // Puts text in front of what the cell holds. Widens a row that is too short; `row` has to exist.
  void insert(std::size_t row, std::size_t column, std::string_view text);
  void insert(std::size_t row, std::size_t column, double value);
  // Empties all cells of a row.
  void clear(std::size_t row);

  std::string text() const;

 private:
  struct Line {
    std::vector<std::string> cells;  // the first cells; those after them are empty
    std::size_t columns = 0;
  };
  std::vector<Line> lines_;
};

// Returns a number as it stands in all these tables: with six decimals.
std::string grid_number(double value);
void append_grid_number(std::string& text, double value);

}  // namespace orrery::core
