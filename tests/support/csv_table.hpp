// Tables of expected numbers: a line of names, then lines of values.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace orrery::core::test {

struct CsvRow {
  const std::string& text(const std::string& column) const { return cells.at(column); }
  double number(const std::string& column) const { return std::stod(cells.at(column)); }
  std::uint64_t count(const std::string& column) const { return std::stoull(cells.at(column)); }

  std::map<std::string, std::string> cells;  // by column
};

// Cells may be in double quotes; those are left out.
std::vector<CsvRow> read_csv(const std::string& path);

}  // namespace orrery::core::test
