// Makes tables of costs beside measured times, for matrix products and for collectives.
//
// A Row has `seconds()`, and `measured()`, which returns the measured seconds, or none.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "report/table/table.hpp"

namespace orrery::core {

// Returns the mean of |time - measured| / measured over the rows that were measured, or none when none was.
template <class Row>
std::optional<double> mean_error(const std::vector<Row>& rows) {
  double sum = 0;
  int count = 0;
  for (const Row& row : rows) {
    if (!row.measured()) continue;
    sum += std::abs(row.seconds() / *row.measured() - 1);
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

// Returns a CSV file, with the mean error in a remark at its end.
template <class Row>
std::string costs_csv(Table<Row> table, const std::vector<Row>& rows) {
  const auto error = mean_error(rows);
  return csv_of(table, rows) + (error ? fmt::format("# mean error {:.2f}%\n", 100 * *error) : "");
}

// Returns the mean error, and the rows as a list called `name`.
template <class Json, class Row>
void set_costs(Json& json, const char* name, Table<Row> table, const std::vector<Row>& rows) {
  if (const auto error = mean_error(rows)) json["mean_error"] = *error;
  json[name] = json_of<Json>(table, rows);
}

}  // namespace orrery::core
