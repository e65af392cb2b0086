// Tables of matrix products as CSV: shapes to ask for, or shapes with their measured times.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_rows.hpp"
#include "compute/operator.hpp"

namespace orrery {

struct ShapeRow {
  Gemm gemm;
  std::optional<Datatype> type;
  std::optional<double> seconds;
  SourceLocation where;
};

// The first line names the columns, in any order: m, n and k, and if wanted batch, datatype, time_us and
// source (a remark, which nothing reads). Blank lines and those that begin with "#" do not count. Throws
// InputError for everything else.
std::vector<ShapeRow> read_shape_table(std::string_view text, const std::string& file);

std::vector<KeyPath> shape_table_columns();

}  // namespace orrery
