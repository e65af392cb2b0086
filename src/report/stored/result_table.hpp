// A table of results as it is read back from a file, column by column. A page about results is made from such
// tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::core {

// A column holds numbers if all its cells do. Otherwise it holds words, each of which it keeps once.
struct ResultColumn {
  std::string name;
  std::vector<double> numbers;        // by row, NaN where the cell is empty; none in a column of words
  std::vector<std::string> words;     // none in a column of numbers
  std::vector<std::uint32_t> places;  // by row: number of the word that stands there

  bool has_words() const { return !words.empty(); }
  std::size_t rows() const { return has_words() ? places.size() : numbers.size(); }
};

struct ResultTable {
  std::string name;  // "links"
  std::string run;   // run whose table it is; empty: the table of all runs
  std::vector<ResultColumn> columns;

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().rows(); }
};

// Returns the column that these cells make. A cell counts as a number when it has the form in which tables of
// results hold numbers, so `007` and `1e5` stay words. An empty cell and `-nan` are numbers that are not
// known. Names of runs (the column `run`) are words in any case, as `8.0` and `8` are two names.
ResultColumn column_of(std::string_view name, const std::vector<std::string_view>& cells);

struct CellColumn {
  std::string name;
  std::vector<std::string> cells;
};

// Reads a CSV file of results as read_result_csv() does, and leaves all cells as they are written.
std::vector<CellColumn> read_csv_cells(std::string_view text, const std::string& file);

// Reads a CSV file of results: the first line names the columns, and quotes are those of RFC 4180. Rows
// without any text are left out, and so are columns without name and text. A column that has only text is
// called after its place, "column 1". Throws InputError where a line has more or fewer cells than the first
// one, or where the last line does not end, as then somebody has cut or changed the file. `file` is for
// messages.
std::vector<ResultColumn> read_result_csv(std::string_view text, const std::string& file);

}  // namespace orrery::core
