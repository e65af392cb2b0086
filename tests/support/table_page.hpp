// The columns of a table as the pages about outputs have them.
#pragma once

#include <string>
#include <string_view>

#include "report/table/table.hpp"
#include "report/table/typed_table.hpp"

namespace orrery::core::test {

// Returns the columns of the CSV file, or the keys of the JSON objects behind `prefix`.
template <class Row>
std::string page_of(Table<Row> table, Form form = Form::csv, std::string_view prefix = {}) {
  std::string text = form == Form::csv ? "| column" : "| key";
  text += " | unit | meaning |\n| --- | --- | --- |\n";
  for (const Column<Row>& column : table) {
    if (!column.in(form)) continue;
    const std::string_view unit = form == Form::json && column.unit == "ns" ? "us" : column.unit;
    text.append("| `").append(prefix).append(form == Form::csv ? std::string(column.name)
                                                               : json_key(column.name));
    text.append("` | ").append(unit).append(" | ").append(column.meaning).append(" |\n");
  }
  return text;
}

// Returns the keys of the JSON objects whose table programs see with these columns.
inline std::string page_of(const TypedTable& table, std::string_view prefix) {
  std::string text = "| key | unit | meaning |\n| --- | --- | --- |\n";
  for (const TypedColumn& column : table.columns)
    text.append("| `")
        .append(prefix)
        .append(json_key(column.name))
        .append("` | ")
        .append(column.unit)
        .append(" | ")
        .append(column.meaning)
        .append(" |\n");
  return text;
}

}  // namespace orrery::core::test
