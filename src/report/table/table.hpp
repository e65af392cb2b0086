// Tables of results. A table is a list of columns, each with its name, unit, meaning and how to get its cell
// from a row. This one list makes the CSV file, the objects of the JSON form, the table on a terminal and the
// description of the columns in docs/outputs/.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/units/bytes.hpp"
#include "base/units/rank_id.hpp"
#include "base/units/time.hpp"
#include "report/table/csv_cell.hpp"
#include "report/table/csv_numbers.hpp"
#include "report/table/value_type.hpp"

namespace orrery::core {

// The content of one place in a table, before it gets a form.
class Cell {
 public:
  using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, Real, Time, Bytes,
                             std::string_view, std::string>;

  Cell() = default;
  Cell(bool value) : value_(value) {}
  template <std::signed_integral T>
  Cell(T value) : value_(static_cast<std::int64_t>(value)) {}
  template <std::unsigned_integral T>
  Cell(T value) : value_(static_cast<std::uint64_t>(value)) {}
  Cell(double value) : value_(Real{value}) {}
  Cell(Real value) : value_(value) {}
  Cell(Time value) : value_(value) {}
  Cell(Bytes value) : value_(value) {}
  Cell(RankId value) : Cell(value.value()) {}
  Cell(std::string_view value) : value_(value) {}  // must outlive the cell
  Cell(const char* value) : value_(std::string_view(value)) {}
  Cell(std::string value) : value_(std::move(value)) {}
  template <class T>
  Cell(const std::optional<T>& value) {
    if (value) *this = Cell(*value);
  }

  const Value& value() const { return value_; }
  bool is_empty() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_words() const {
    return std::holds_alternative<std::string_view>(value_) || std::holds_alternative<std::string>(value_);
  }

 private:
  Value value_;
};

// These add a cell, or what it is made of, as it stands in a CSV file. Times are in the unit of their column,
// microseconds or nanoseconds, with all digits that picoseconds need.
void append_csv(std::string& text, const Cell& cell, std::string_view unit);
inline void append_csv(std::string&, std::monostate, std::string_view) {}
inline void append_csv(std::string& text, bool value, std::string_view) {
  text += value ? '1' : '0';
}
template <std::integral T>
void append_csv(std::string& text, T number, std::string_view) {
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  append_csv_number(text, static_cast<Wide>(number));
}
inline void append_csv(std::string& text, Real real, std::string_view) {
  append_csv_real(text, real.value, real.decimals);
}
inline void append_csv(std::string& text, double value, std::string_view) {
  append_csv_real(text, value, -1);
}
inline void append_csv(std::string& text, Time time, std::string_view unit) {
  append_csv_time(text, time, unit);
}
inline void append_csv(std::string& text, Bytes bytes, std::string_view) {
  append_csv_number(text, bytes.count());
}
inline void append_csv(std::string& text, std::string_view words, std::string_view) {
  append_csv_cell(text, words);
}
inline void append_csv(std::string& text, const std::string& words, std::string_view) {
  append_csv_cell(text, words);
}
inline void append_csv(std::string& text, const char* words, std::string_view) {
  append_csv_cell(text, words);
}
template <class T>
void append_csv(std::string& text, const std::optional<T>& value, std::string_view unit) {
  if (value) append_csv(text, *value, unit);
}

enum class Form : std::uint8_t { csv = 1, json = 2, csv_and_json = 3 };

// A column of a table of `Row`s. A column without a heading is not shown on a terminal, and one without a
// name is shown only there. A column of files has a type, which what `Get` returns says: where a value may be
// missing, it returns an optional.
template <class Row>
struct Column {
  // `Get` is a function object without state that takes a row and returns what a Cell is made of.
  template <class Get>
  constexpr Column(std::string_view name_, std::string_view unit_, std::string_view meaning_, Get,
                   std::string_view heading_ = {}, Form form_ = Form::csv_and_json)
      : name(name_),
        unit(unit_),
        meaning(meaning_),
        cell([](const Row& row) { return Cell(Get{}(row)); }),
        append(
            [](std::string& text, const Row& row, std::string_view in) { append_csv(text, Get{}(row), in); }),
        heading(heading_),
        type(value_type_of<decltype(Get{}(std::declval<const Row&>()))>()),
        form(form_) {
    static_assert(std::is_empty_v<Get>, "a pointer to a function has state: write a lambda");
    if (in(Form::csv) && type == ValueType::none)
      throw "a column of files returns values of one type, not Cells";
  }

  constexpr bool in(Form wanted) const {
    return !name.empty() && (static_cast<unsigned>(form) & static_cast<unsigned>(wanted)) != 0;
  }

  std::string_view name;     // title in CSV files, key in JSON
  std::string_view unit;     // "us", "bytes", "share" and the like; empty for words and plain numbers
  std::string_view meaning;  // one sentence
  Cell (*cell)(const Row& row);
  void (*append)(std::string& text, const Row& row, std::string_view unit);  // the cell, to a CSV file
  std::string_view heading;                                                  // on a terminal
  ValueType type;                                                            // of what is no Cell
  Form form;
};

template <class Row>
using Table = std::span<const Column<Row>>;

// Returns the cell as people read it: four digits, and a unit that fits.
std::string readable(const Cell& cell, std::string_view unit);

// Returns the key of a column in JSON, where all times are in microseconds.
std::string json_key(std::string_view name);

inline constexpr std::size_t terminal_width = 80;

struct TextColumn {
  std::string heading;
  bool words = false;  // words are flush left, numbers flush right
};

// A table for a terminal.
struct TextTable {
  std::vector<TextColumn> columns;
  std::vector<std::vector<std::string>> rows;
  // By row: the line that stands above it, behind an empty one. The list may be empty, and so may a line.
  std::vector<std::string> heads = {};

  // Puts a column in front of the one at `place`.
  void insert(std::size_t place, TextColumn column, std::vector<std::string> cells);
  // Returns lines of at most 80 characters. Columns without contents are left out. Where the others are too
  // wide, words are wrapped. If that is not enough, the columns are divided into parts, and the first column
  // stands in front of each part.
  std::string text() const;
};

// Returns a line of a report on one thing: what it is, its value, flush right, and a remark.
std::string report_line(std::string_view what, std::string_view value, std::string_view remark = {},
                        std::size_t indent = 2);

// Returns the text, which begins at the left edge, with its lines divided so that they fit a terminal. After
// a division, a line goes on behind `indent` blanks.
std::string wrapped(std::string_view text, std::size_t indent);

// Returns a bar that is `width` characters long where the share is 1, of blocks or of `#`.
std::string bar_of(double share, std::size_t width, bool unicode);

template <class Row>
std::string csv_title(Table<Row> table) {
  std::string text;
  for (const Column<Row>& column : table)
    if (column.in(Form::csv)) text.append(text.empty() ? "" : ",").append(column.name);
  return text;
}

// Adds the cells of a row, without the end of its line.
template <class Row>
void append_csv_row(std::string& text, Table<Row> table, const Row& row) {
  bool first = true;
  for (const Column<Row>& column : table) {
    if (!column.in(Form::csv)) continue;
    if (!first) text += ',';
    first = false;
    column.append(text, row, column.unit);
  }
}

// The first function returns the lines of a CSV file without its title, the second returns the whole file.
template <class Row>
std::string csv_lines_of(Table<Row> table, const auto& rows) {
  std::string text;
  for (const Row& row : rows) {
    append_csv_row(text, table, row);
    text += '\n';
  }
  return text;
}
template <class Row>
std::string csv_of(Table<Row> table, const auto& rows) {
  return csv_title(table) + '\n' + csv_lines_of(table, rows);
}

template <class Json>
struct JsonForm {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(Real real) const { return real.value; }
  Json operator()(Time time) const { return time.us(); }
  Json operator()(Bytes bytes) const { return bytes.count(); }
  Json operator()(const auto& value) const { return value; }
};

// Sets the row's keys in a JSON object. Empty cells have no key.
template <class Json, class Row>
void set_json(Json& object, Table<Row> table, const Row& row) {
  for (const Column<Row>& column : table) {
    if (!column.in(Form::json)) continue;
    const Cell cell = column.cell(row);
    if (!cell.is_empty()) object[json_key(column.name)] = std::visit(JsonForm<Json>{}, cell.value());
  }
}

// Returns a list of such objects.
template <class Json, class Row>
Json json_of(Table<Row> table, const auto& rows) {
  Json list = Json::array();
  for (const Row& row : rows) set_json(list.emplace_back(Json::object()), table, row);
  return list;
}

// Returns the columns that have a heading.
template <class Row>
TextTable text_table_of(Table<Row> table, const auto& rows) {
  TextTable text;
  for (const Column<Row>& column : table)
    if (!column.heading.empty()) text.columns.push_back({std::string(column.heading)});
  for (const Row& row : rows) {
    std::vector<std::string>& line = text.rows.emplace_back();
    for (const Column<Row>& column : table) {
      if (column.heading.empty()) continue;
      const Cell cell = column.cell(row);
      if (cell.is_words()) text.columns[line.size()].words = true;
      line.push_back(readable(cell, column.unit));
    }
  }
  return text;
}
template <class Row>
std::string text_of(Table<Row> table, const auto& rows) {
  return text_table_of(table, rows).text();
}

}  // namespace orrery::core
