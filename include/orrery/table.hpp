// Tables of results: columns that know their names, units and meanings.
//
//   const orrery::Table layers = run.table("layers").value();
//   for (std::size_t row = 0; row < layers.rows(); ++row)
//     std::cout << *layers.text(row, "layer") << ' ' << *layers.real(row, "exposed_us") << '\n';
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/export.hpp"

struct ArrowArrayStream;  // of Apache Arrow's C stream interface

namespace orrery {

namespace core {
struct TypedTable;
}

// The type of all values of a column, any of which may be missing.
enum class ColumnType : std::uint8_t {
  boolean,  // bool
  integer,  // std::int64_t
  real,     // double; times are in the unit of their column
  text,     // UTF-8
};

// Describes a column; its values are in the table.
struct ColumnInfo {
  std::string name;     // as in the title of the CSV file
  std::string unit;     // "us", "bytes", "share" and the like; empty for words and plain numbers
  std::string meaning;  // a sentence
  ColumnType type = ColumnType::text;  // of its values
};

// Copies share the values, which never change, so several threads may use one table.
class ORRERY_API Table {
 public:
  explicit Table(std::shared_ptr<const core::TypedTable> values);

  const std::string& name() const;  // that of its file without ".csv"
  std::size_t rows() const;         // their number
  const std::vector<ColumnInfo>& columns() const { return *columns_; }
  // Returns whether there is a column of that name.
  bool has(std::string_view column) const;

  // Return the values of a column. In rows that have none stands 0, and is_missing() tells them apart. Throw
  // std::out_of_range where there is no such column, and std::invalid_argument where it has another type.
  std::span<const std::int64_t> integers(std::string_view column) const;
  std::span<const double> reals(std::string_view column) const;

  // Return one value. Throw as above, and std::out_of_range also where there is no such row.
  bool is_missing(std::size_t row, std::string_view column) const;
  std::optional<bool> boolean(std::size_t row, std::string_view column) const;
  std::optional<std::int64_t> integer(std::size_t row, std::string_view column) const;
  std::optional<double> real(std::size_t row, std::string_view column) const;  // also of integers
  std::optional<std::string_view> text(std::size_t row, std::string_view column) const;

  // Hands the table to whoever reads Arrow's C stream interface, without copying values
  // (https://arrow.apache.org/docs/format/CStreamInterface.html). The stream is one batch, and keeps the
  // values alive until it is released. Column metadata have the keys "unit" and "meaning".
  void export_arrow(ArrowArrayStream* stream) const;

 private:
  std::shared_ptr<const core::TypedTable> values_;
  std::shared_ptr<const std::vector<ColumnInfo>> columns_;
};

}  // namespace orrery
