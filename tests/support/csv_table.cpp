#include "support/csv_table.hpp"

#include "base/files/file.hpp"
#include "base/text/text_lines.hpp"

namespace orrery::core::test {
namespace {

std::vector<std::string> cells_in(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

}  // namespace

std::vector<CsvRow> read_csv(const std::string& path) {
  const std::string text = read_file_of_any_kind(path);
  std::vector<std::string> names;
  std::vector<CsvRow> rows;
  for (const Token& line : lines_of(text)) {
    if (line.text.empty()) continue;
    const std::vector<std::string> cells = cells_in(line.text);
    if (names.empty()) {
      names = cells;
      continue;
    }
    CsvRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size() && i < cells.size(); ++i) row.cells[names[i]] = cells[i];
  }
  return rows;
}

}  // namespace orrery::core::test
