// Takes the rows of a table one after another, and makes a CSV file or a table in memory of them. Whoever has
// rows to tell of writes them once, for both.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file_writer.hpp"
#include "report/table/typed_table.hpp"

namespace orrery::core {

class RowSink {
 public:
  // They must outlive the sink.
  explicit RowSink(FileWriter& file) : file_(&file) {}
  explicit RowSink(std::string& text) : text_(&text) {}
  explicit RowSink(TypedTable& table) : table_(&table) {}

  // Takes the columns, before the first row.
  template <class Row>
  void begin(Table<Row> columns) {
    if (!table_) return put_line(csv_title(columns));
    for (const Column<Row>& column : columns)
      if (column.in(Form::csv))
        table_->columns.push_back(typed_column(column.name, column.unit, column.meaning, column.type));
  }

  // Takes a row of the columns with which it began.
  template <class Row>
  void add(Table<Row> columns, const Row& row) {
    if (table_) return add_typed(columns, row);
    line_.clear();
    append_csv_row(line_, columns, row);
    put_line(line_);
  }

 private:
  template <class Row>
  void add_typed(Table<Row> columns, const Row& row) {
    std::size_t number = 0;
    for (const Column<Row>& column : columns)
      if (column.in(Form::csv)) table_->columns[number++].add(column.cell(row));
    ++table_->rows;
  }
  void put_line(std::string_view line) {
    if (file_) {
      file_->append(line);
      file_->append("\n");
    } else {
      text_->append(line).push_back('\n');
    }
  }

  FileWriter* file_ = nullptr;
  std::string* text_ = nullptr;
  TypedTable* table_ = nullptr;
  std::string line_;
};

// Rows that can be written to a sink, whatever they are rows of.
class TableRows {
 public:
  // There are neither rows nor columns.
  TableRows() = default;
  // `owner` keeps alive what the rows refer to; what it does not, has to outlive them.
  template <class Row>
  TableRows(Table<Row> columns, std::vector<Row> rows, std::shared_ptr<const void> owner = nullptr)
      : TableRows(std::vector<Column<Row>>(columns.begin(), columns.end()), std::move(rows),
                  std::move(owner)) {}
  template <class Row>
  TableRows(std::vector<Column<Row>> columns, std::vector<Row> rows,
            std::shared_ptr<const void> owner = nullptr) {
    empty_ = rows.empty();
    struct Filled {
      std::vector<Column<Row>> columns;
      std::vector<Row> rows;
      std::shared_ptr<const void> owner;
    };
    write_ = [filled = std::make_shared<const Filled>(
                  Filled{std::move(columns), std::move(rows), std::move(owner)})](RowSink& sink) {
      const Table<Row> table(filled->columns);
      sink.begin(table);
      for (const Row& row : filled->rows) sink.add(table, row);
    };
  }
  // `write` writes at least one row.
  explicit TableRows(std::function<void(RowSink&)> write) : write_(std::move(write)), empty_(false) {}

  bool empty() const { return empty_; }
  void write(RowSink& sink) const {
    if (write_) write_(sink);
  }

 private:
  std::function<void(RowSink&)> write_;
  bool empty_ = true;
};

// Returns the columns with those that only JSON has among the others, for programs, which see both.
template <class Row>
std::vector<Column<Row>> with_json_columns(Table<Row> table) {
  std::vector<Column<Row>> columns(table.begin(), table.end());
  for (Column<Row>& column : columns)
    if (!column.name.empty() && column.type != ValueType::none) column.form = Form::csv_and_json;
  return columns;
}

// A table of results under the name of its file, such as "links.csv".
struct NamedRows {
  std::string file;
  TableRows rows;
};

// Returns the table under the name of its file without ".csv".
TypedTable typed_table(const NamedRows& named);
// Returns the file.
std::string csv_text(const TableRows& rows);

}  // namespace orrery::core
