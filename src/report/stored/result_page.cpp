#include "report/stored/result_page.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/build_info.hpp"
#include "base/files/embedded_file.hpp"
#include "report/stored/filled_page.hpp"

namespace orrery::core {

namespace {

template <class Number>
void append_number(std::string& json, Number number) {
  char digits[32];
  json.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}
void append_number(std::string& json, double number) {
  if (std::isfinite(number))
    append_number<double>(json, number);
  else
    json += "null";
}

// Adds a list, with `append` for each of the items.
template <class Items, class Append>
void append_list(std::string& json, const Items& items, const Append& append) {
  json += '[';
  for (const auto& item : items) {
    if (json.back() != '[') json += ',';
    append(json, item);
  }
  json += ']';
}

// Adds the list of a column's cells. Where a cell occurs four or more times in a row, it is followed by a
// list that holds how many more there are: `7,[1000]`. Such a list is unpacked in far less time than one that
// repeats the cell, and the columns of timelines and of windows of time mostly consist of them.
template <class Item, class Append>
void append_cells(std::string& json, const std::vector<Item>& cells, const Append& append) {
  constexpr std::size_t max_written = 3;
  json += '[';
  for (std::size_t i = 0; i < cells.size();) {
    std::size_t end = i + 1;
    while (end < cells.size() && cells[end] == cells[i]) ++end;
    const std::size_t times = end - i > max_written ? 1 : end - i;
    for (std::size_t time = 0; time < times; ++time) {
      if (json.back() != '[') json += ',';
      append(json, cells[i]);
    }
    if (times < end - i) json += ",[" + std::to_string(end - i - 1) + ']';
    i = end;
  }
  json += ']';
}

// Returns how much larger each number is than the last known one before it, in millionths, and nothing for
// numbers that are not known. Returns no list where the numbers are no whole multiples of a millionth; times
// are, because they have six decimals. Differences repeat, so they take a twentieth of the space after
// compression.
std::vector<std::optional<std::int64_t>> differences_of(const std::vector<double>& numbers) {
  constexpr double parts = 1e6, largest = 9e15;  // below 2^53: whole numbers are exact
  std::vector<std::optional<std::int64_t>> differences;
  std::int64_t last = 0;
  for (const double number : numbers) {
    if (std::isnan(number)) {
      differences.emplace_back();
      continue;
    }
    if (!(std::abs(number * parts) < largest)) return {};
    const std::int64_t next = std::llround(number * parts);
    if (static_cast<double>(next) / parts != number) return {};
    differences.emplace_back(next - last);
    last = next;
  }
  return differences;
}

void append_column(std::string& json, const ResultColumn& column) {
  json += "{\"name\":";
  append_json_text(json, column.name);
  if (column.has_words()) {
    json += ",\"words\":";
    append_list(json, column.words, append_json_text);
    json += ",\"places\":";
    append_cells(json, column.places, append_number<std::uint32_t>);
  } else if (const auto differences = differences_of(column.numbers); !differences.empty()) {
    json += ",\"differences\":";
    append_cells(json, differences, [](std::string& text, std::optional<std::int64_t> difference) {
      if (difference)
        append_number(text, *difference);
      else
        text += "null";
    });
  } else {
    json += ",\"numbers\":";
    append_cells(json, column.numbers, [](std::string& text, double number) { append_number(text, number); });
  }
  json += '}';
}

void append_table(std::string& json, const ResultTable& table) {
  json += "{\"name\":";
  append_json_text(json, table.name);
  json += ",\"run\":";
  append_json_text(json, table.run);
  json += ",\"columns\":";
  append_list(json, table.columns, append_column);
  json += '}';
}

void append_set(std::string& json, const ResultSet& set) {
  json += "{\"name\":";
  append_json_text(json, set.name);
  json += ",\"origin\":" + (set.origin.empty() ? "null" : set.origin) + ",\"tables\":";
  append_list(json, set.tables, append_table);
  json += '}';
}

}  // namespace

std::string result_page(const std::vector<ResultSet>& sets) {
  std::string names;
  for (const ResultSet& set : sets) names += (names.empty() ? "" : ", ") + set.name;
  std::string json = "{\"version\":";
  append_json_text(json, std::string(build_info().version));
  json += ",\"sets\":";
  append_list(json, sets, append_set);
  json += '}';
  return filled_page(embedded_page(), json, names);
}

}  // namespace orrery::core
