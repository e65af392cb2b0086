#include "orrery/table.hpp"

#include <algorithm>
#include <stdexcept>

#include "api/arrow_stream.hpp"
#include "api/typed_values.hpp"
#include "report/table/typed_table.hpp"

namespace orrery {

namespace {

ColumnType type_of(core::ValueType type) {
  switch (type) {
    case core::ValueType::boolean:
      return ColumnType::boolean;
    case core::ValueType::integer:
      return ColumnType::integer;
    case core::ValueType::real:
      return ColumnType::real;
    case core::ValueType::text:
    case core::ValueType::none:
      break;
  }
  return ColumnType::text;
}

const core::TypedColumn& column_of(const core::TypedTable& table, std::string_view name) {
  const core::TypedColumn* const found = table.find(name);
  if (!found) throw std::out_of_range("the table " + table.name + " has no column " + std::string(name));
  return *found;
}

const core::TypedColumn& column_of(const core::TypedTable& table, std::string_view name,
                                   core::ValueType type) {
  const core::TypedColumn& column = column_of(table, name);
  if (column.type != type)
    throw std::invalid_argument("the column " + column.name + " of the table " + table.name +
                                " has another type");
  return column;
}

void require_row(const core::TypedTable& table, std::size_t row) {
  if (row >= table.rows)
    throw std::out_of_range("the table " + table.name + " has " + std::to_string(table.rows) + " rows");
}

}  // namespace

ColumnInfo core::column_info(const TypedColumn& column) {
  return {column.name, column.unit, column.meaning, type_of(column.type)};
}

Table::Table(std::shared_ptr<const core::TypedTable> values) : values_(std::move(values)) {
  std::vector<ColumnInfo> columns;
  for (const core::TypedColumn& column : values_->columns) columns.push_back(core::column_info(column));
  columns_ = std::make_shared<const std::vector<ColumnInfo>>(std::move(columns));
}

const std::string& Table::name() const {
  return values_->name;
}

std::size_t Table::rows() const {
  return values_->rows;
}

bool Table::has(std::string_view column) const {
  return values_->find(column) != nullptr;
}

std::span<const std::int64_t> Table::integers(std::string_view column) const {
  return column_of(*values_, column, core::ValueType::integer).integers;
}

std::span<const double> Table::reals(std::string_view column) const {
  return column_of(*values_, column, core::ValueType::real).reals;
}

bool Table::is_missing(std::size_t row, std::string_view column) const {
  require_row(*values_, row);
  return !column_of(*values_, column).known[row];
}

std::optional<bool> Table::boolean(std::size_t row, std::string_view column) const {
  if (is_missing(row, column)) return std::nullopt;
  return column_of(*values_, column, core::ValueType::boolean).booleans[row];
}

std::optional<std::int64_t> Table::integer(std::size_t row, std::string_view column) const {
  if (is_missing(row, column)) return std::nullopt;
  return integers(column)[row];
}

std::optional<double> Table::real(std::size_t row, std::string_view column) const {
  if (is_missing(row, column)) return std::nullopt;
  if (column_of(*values_, column).type == core::ValueType::integer)
    return static_cast<double>(integers(column)[row]);
  return reals(column)[row];
}

std::optional<std::string_view> Table::text(std::size_t row, std::string_view column) const {
  if (is_missing(row, column)) return std::nullopt;
  return column_of(*values_, column, core::ValueType::text).text(row);
}

void Table::export_arrow(ArrowArrayStream* stream) const {
  core::export_arrow(values_, *stream);
}

}  // namespace orrery
