// Shows a calibration, for people and for programs. docs/outputs/calculators.md lists the columns.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "report/table/table.hpp"
#include "study/calibration/file_calibration.hpp"

namespace orrery::core {

// A constant of one of the calibrations, whose values it refers to.
struct CalibratedConstant {
  std::string_view of;
  const FittedConstant* fitted = nullptr;
};
// How far simulated times are from measured ones: of a calibration, and of one of its rows.
struct CalibrationErrors {
  std::string_view of;
  std::size_t rows = 0;
  double median_before = 0, median_after = 0, mean_before = 0, mean_after = 0;  // shares
};
struct CalibratedRow {
  std::string_view of, name;
  double before = 0, after = 0;  // shares
};

extern const Table<CalibratedConstant> calibrated_constant_table;
extern const Table<CalibrationErrors> calibration_error_table;
extern const Table<CalibratedRow> calibrated_row_table;

// Return the rows of these tables, which refer to the calibrations.
std::vector<CalibratedConstant> constants_of(const std::vector<Calibration>& calibrations);
std::vector<CalibrationErrors> errors_of(const std::vector<Calibration>& calibrations);
std::vector<CalibratedRow> rows_of(const std::vector<Calibration>& calibrations);

// Returns the constants and the errors before and after, for each kind of measurements.
std::string calibration_text(const std::vector<Calibration>& calibrations);
// Returns all tables, and the file that was made.
nlohmann::ordered_json calibration_to_json(const FileCalibration& calibration);

}  // namespace orrery::core
