// Tables of attention and of operators without products as CSV, perhaps with their measured times.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/csv_rows.hpp"
#include "compute/operator.hpp"

namespace orrery::core {

struct KernelShape {
  Operator op;                   // its name says which kind it is
  std::optional<Datatype> type;  // none: the row has none
  std::optional<double> seconds;
  SourceLocation where;
};

// Reads a CSV file by the rules of csv_rows(). Throws InputError.
std::vector<KernelShape> read_kernel_table(std::string_view text, const std::string& file);

std::vector<KeyPath> kernel_table_columns();

}  // namespace orrery::core
