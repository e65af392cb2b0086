// Tables of matrix products as CSV: shapes to ask for, or shapes with their measured times.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/csv_rows.hpp"
#include "compute/operator.hpp"

namespace orrery::core {

struct ShapeRow {
  Gemm gemm;
  std::optional<Datatype> type;
  std::optional<double> seconds;
  SourceLocation where;
};

// Reads a CSV file by the rules of csv_rows(). Throws InputError.
std::vector<ShapeRow> read_shape_table(std::string_view text, const std::string& file);

std::vector<KeyPath> shape_table_columns();

}  // namespace orrery::core
