#include "study/results/result_tables.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "report/breakdown/rank_table.hpp"
#include "report/compare/run_comparisons.hpp"
#include "report/memory/memory_history.hpp"
#include "report/network/link_report.hpp"
#include "report/network/packet_report.hpp"
#include "report/picture/draw_network.hpp"
#include "report/stored/result_table.hpp"
#include "report/summary/run_tables.hpp"
#include "report/timeline/programs/timeline_rows.hpp"
#include "report/timeline/programs/trace_timeline.hpp"
#include "report/traces/trace_tables.hpp"
#include "report/training/training_report.hpp"

namespace orrery::core {

namespace {

// A file with all columns that it may have.
struct TypedFile {
  std::string_view name;
  std::vector<TypedColumn> columns;

  template <class Row>
  void add(Table<Row> table) {
    for (const Column<Row>& column : table)
      if (column.in(Form::csv))
        columns.push_back(typed_column(column.name, column.unit, column.meaning, column.type));
  }
};

template <class... Rows>
TypedFile typed_file(std::string_view name, const Table<Rows>&... tables) {
  TypedFile file{name, {}};
  (file.add(tables), ...);
  return file;
}

// In the order in which runs list their tables (study/run/exporters.hpp).
std::vector<TypedFile> typed_files() {
  return {typed_file("runs.csv", run_table),
          typed_file("layers.csv", layer_table),
          typed_file("comparisons.csv", comparison_table),
          typed_file("timeline.csv", timeline_table),
          typed_file("parts.csv", part_table),
          typed_file("stages.csv", stage_table),
          typed_file("rank-times.csv", rank_time_table),
          typed_file("ranks.csv", rank_table),
          typed_file("nodes.csv", node_table),
          typed_file("links.csv", link_table, packet_link_table, flit_link_table),
          typed_file("latencies.csv", latency_table),
          typed_file("messages.csv", message_table),
          typed_file("switches.csv", switch_table),
          typed_file("link-history.csv", link_history_table, packet_history_table),
          typed_file("switch-history.csv", switch_history_table),
          typed_file("memory-history.csv", memory_history_table),
          typed_file("topology-nodes.csv", picture_node_table),
          typed_file("topology-links.csv", picture_link_table),
          typed_file("topology-history.csv", picture_moment_table)};
}

template <class Number>
std::optional<Number> number_of_cell(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

template <class Number>
bool are_numbers(const std::vector<std::string>& cells) {
  return std::ranges::all_of(
      cells, [](const std::string& cell) { return cell.empty() || number_of_cell<Number>(cell); });
}

// Returns a column without values for cells of which nothing else is known.
TypedColumn column_for(const CellColumn& read, bool is_quantity) {
  const ValueType type = !is_quantity && are_numbers<std::int64_t>(read.cells) ? ValueType::integer
                         : are_numbers<double>(read.cells)                     ? ValueType::real
                                                                               : ValueType::text;
  return typed_column(read.name, "", "Value of the key in which the runs differ.", type);
}

Cell cell_of(const std::string& text, ValueType type) {
  // A text that is missing is written as an empty one is.
  if (text.empty() && type != ValueType::text) return {};
  switch (type) {
    case ValueType::boolean:
      return text == "1";
    case ValueType::integer:
      return number_of_cell<std::int64_t>(text);
    case ValueType::real:
      return number_of_cell<double>(text);
    case ValueType::text:
    case ValueType::none:
      break;
  }
  return std::string_view(text);
}

}  // namespace

std::vector<std::string_view> typed_result_files() {
  std::vector<std::string_view> names;
  for (const TypedFile& file : typed_files()) names.push_back(file.name);
  return names;
}

TypedTable read_typed_table(std::string_view name, std::string_view text, const std::string& file,
                            const std::set<std::string>& keys) {
  const std::vector<TypedFile> files = typed_files();
  const auto known = std::ranges::find(files, name, &TypedFile::name);
  TypedTable table;
  table.name = name.substr(0, name.rfind('.'));
  for (const CellColumn& read : read_csv_cells(text, file)) {
    const auto declared = std::ranges::find(known->columns, read.name, &TypedColumn::name);
    TypedColumn& column = table.columns.emplace_back(
        declared == known->columns.end() ? column_for(read, !keys.contains(read.name)) : *declared);
    for (const std::string& cell : read.cells) column.add(cell_of(cell, column.type));
    table.rows = read.cells.size();
  }
  return table;
}

}  // namespace orrery::core
