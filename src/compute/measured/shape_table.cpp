#include "compute/measured/shape_table.hpp"

#include <algorithm>
#include <array>

#include "base/token_reader.hpp"
#include "base/words.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t largest_extent = 1ull << 40;
constexpr double longest_us = 1e12;

struct Cell {
  std::string_view text;
  SourceLocation where;
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

[[noreturn]] void reject(const Cell& cell, std::string_view column, const std::string& wanted) {
  throw InputError(cell.where,
                   "`" + std::string(column) + "` has to be " + wanted + ", not " + backquoted(cell.text));
}

std::uint64_t extent_of(const Cell& cell, std::string_view column) {
  const auto value = parse_unsigned(cell.text);
  if (!value || *value < 1 || *value > largest_extent) reject(cell, column, "a whole number from 1 to 2^40");
  return *value;
}

struct Column {
  std::string_view name;
  void (*read)(const Cell& cell, ShapeRow& row);
  bool required = false;
};
constexpr Column columns[] = {
    {"m", [](const Cell& c, ShapeRow& r) { r.gemm.m = extent_of(c, "m"); }, true},
    {"n", [](const Cell& c, ShapeRow& r) { r.gemm.n = extent_of(c, "n"); }, true},
    {"k", [](const Cell& c, ShapeRow& r) { r.gemm.k = extent_of(c, "k"); }, true},
    {"batch", [](const Cell& c, ShapeRow& r) { r.gemm.batch = extent_of(c, "batch"); }},
    {"datatype",
     [](const Cell& c, ShapeRow& r) {
       r.type = value_of(datatype_words, c.text);
       if (!r.type) reject(c, "datatype", alternatives(words_of(datatype_words)));
     }},
    {"time_us",
     [](const Cell& c, ShapeRow& r) {
       const auto value = parse_real(c.text);
       if (!value || !(*value > 0) || *value > longest_us)
         reject(c, "time_us", "a number of microseconds above 0");
       r.seconds = *value * 1e-6;
     }},
    {"source", [](const Cell&, ShapeRow&) {}},
};

std::vector<Cell> cells_of(std::string_view line, const std::string& file, int number) {
  std::vector<Cell> cells;
  for (std::size_t begin = 0;; ++begin) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    cells.push_back({trimmed(line.substr(begin, end - begin)), {file, number, static_cast<int>(begin) + 1}});
    if (end == line.size()) return cells;
    begin = end;
  }
}

std::vector<const Column*> columns_of(const std::vector<Cell>& titles) {
  std::vector<const Column*> found;
  for (const Cell& title : titles) {
    const auto* column = std::ranges::find(columns, title.text, &Column::name);
    if (column == std::end(columns)) {
      const auto known = shape_table_columns();
      const std::string hint = suggestion(title.text, known);
      throw InputError(title.where, "unknown column " + backquoted(title.text) +
                                        (hint.empty() ? "; known here: " + alternatives(known) : hint));
    }
    if (std::ranges::find(found, column) != found.end())
      throw InputError(title.where, "column " + backquoted(title.text) + " is there twice, keep one");
    found.push_back(column);
  }
  for (const Column& column : columns)
    if (column.required && std::ranges::find(found, &column) == found.end())
      throw InputError(titles[0].where,
                       "the column `" + std::string(column.name) + "` is missing from the first line");
  return found;
}

ShapeRow row_of(const std::vector<Cell>& cells, const std::vector<const Column*>& titles) {
  if (cells.size() != titles.size())
    throw InputError(cells[0].where, "this line has " + std::to_string(cells.size()) +
                                         " values, the first line names " + std::to_string(titles.size()));
  ShapeRow row;
  row.where = cells[0].where;
  for (std::size_t i = 0; i < cells.size(); ++i) titles[i]->read(cells[i], row);
  return row;
}

}  // namespace

std::vector<ShapeRow> read_shape_table(std::string_view text, const std::string& file) {
  std::vector<const Column*> titles;
  std::vector<ShapeRow> rows;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<Cell> cells = cells_of(line, file, number);
    if (titles.empty()) {
      titles = columns_of(cells);
    } else {
      rows.push_back(row_of(cells, titles));
    }
  }
  if (rows.empty())
    throw InputError({file}, "no shapes; the first line has to be `m,n,k`, then a line for each");
  return rows;
}

std::vector<std::string_view> shape_table_columns() {
  std::vector<std::string_view> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

}  // namespace orrery
