// Shows the measured runs on which an interval rests, for `orrery explain --accuracy`.
#pragma once

#include <string>
#include <vector>

#include "report/accuracy/measured_errors.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

struct AccuracyRow {
  const MeasuredError& error;
  double weight_share = 0;  // of the weights of all measured runs
};
extern const Table<AccuracyRow> accuracy_table;

// Returns the measured runs, those that count most first. They refer to `errors`.
std::vector<AccuracyRow> accuracy_rows(const MeasuredErrors& errors, const RunProperties& run);

// Returns the interval in words and the measured runs that count most.
std::string accuracy_text(const std::string& run, const MeasuredErrors& errors, const RunProperties& of,
                          double share);

}  // namespace orrery::core
