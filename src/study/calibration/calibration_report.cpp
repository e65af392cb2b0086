#include "study/calibration/calibration_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace orrery::core {
namespace {

// Returns the mean of the errors, whose sign says whether simulated times are too long.
double signed_error(const std::vector<double>& errors) {
  double sum = 0;
  for (const double error : errors) sum += error;
  return std::expm1(sum / static_cast<double>(errors.size()));
}

constexpr Column<CalibratedConstant> constant_columns[] = {
    {"measured", "", "What was measured.", [](auto& row) { return row.of; }},
    {"constant", "", "Constant, as a key below `platform`.",
     [](auto& row) { return row.fitted->constant->key; }},
    {"unit", "", "Unit of its values: `us`, or nothing for a number.",
     [](auto& row) {
       return std::string_view(row.fitted->constant->unit == Constant::Unit::us ? "us" : "");
     }},
    {"before", "", "Value before.", [](auto& row) { return Real{row.fitted->before}; }},
    {"after", "",
     "Value after, which is that before for constants that are given up and follow no other one.",
     [](auto& row) { return Real{row.fitted->after}; }},
    {"standard_error", "share",
     "Standard error of the value as a share of it. It is not there for constants that are given up, and for "
     "a "
     "single row.",
     [](auto& row) { return row.fitted->is_fitted() ? row.fitted->error : std::nullopt; }},
    {"why_not", "", "Why the constant is given up. It is empty where it is not.",
     [](auto& row) { return std::string_view(row.fitted->why_not); }},
};

constexpr Column<CalibrationErrors> error_columns[] = {
    {"measured", "", "What was measured.", [](auto& row) { return row.of; }},
    {"rows", "", "Number of rows.", [](auto& row) { return row.rows; }},
    {"median_before", "share",
     "Median of the rows' errors with the constants as they were. An error of 0.1 stands for a simulated "
     "time "
     "that is 1.1 times as long as the measured one, or as short.",
     [](auto& row) { return row.median_before; }},
    {"median_after", "share", "The same with the fitted constants.",
     [](auto& row) { return row.median_after; }},
    {"mean_before", "share",
     "Mean of the errors with their signs, which is above 0 where simulated times are too long, with the "
     "constants as they were.",
     [](auto& row) { return row.mean_before; }},
    {"mean_after", "share", "The same with the fitted constants.", [](auto& row) { return row.mean_after; }},
};

constexpr Column<CalibratedRow> row_columns[] = {
    {"measured", "", "What was measured.", [](auto& row) { return row.of; }},
    {"row", "", "Name of the row.", [](auto& row) { return row.name; }},
    {"error_before", "share",
     "Share by which the simulated time is longer than the measured one, with the constants as they were.",
     [](auto& row) { return row.before; }},
    {"error_after", "share", "The same with the fitted constants.", [](auto& row) { return row.after; }},
};

std::string text_of_error(const FittedConstant& fitted) {
  if (!fitted.is_fitted()) return "";
  return fitted.error ? fitted.text_of_error() : "not known";
}

std::string reason_of(const FittedConstant& fitted) {
  if (fitted.is_fitted()) return "";
  if (fitted.after != fitted.before)
    return fmt::format("moves with {}: {}", fitted.constant->follows, fitted.why_not);
  return "stays: " + fitted.why_not;
}

std::string text_of(const Calibration& calibration) {
  std::string text = calibration.of + "\n\n";
  TextTable constants{{{"constant", true}, {"before"}, {"after"}, {"standard error"}, {"", true}}, {}};
  for (const FittedConstant& fitted : calibration.constants)
    constants.rows.push_back({std::string(fitted.constant->key), fitted.constant->text(fitted.before),
                              fitted.constant->text(fitted.after), text_of_error(fitted), reason_of(fitted)});
  TextTable errors{{{"simulated against measured", true}, {"before"}, {"after"}}, {}};
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  const auto signed_percent = [](double share) {
    return fmt::format("{:+.1f} %", std::round(1000 * share) / 10 + 0.0);  // no "-0.0 %"
  };
  errors.rows.push_back(
      {"median error", percent(median_error(calibration.before)), percent(median_error(calibration.after))});
  errors.rows.push_back({"mean, with its sign", signed_percent(signed_error(calibration.before)),
                         signed_percent(signed_error(calibration.after))});
  return text + constants.text() + "\n" + errors.text();
}

}  // namespace

const Table<CalibratedConstant> calibrated_constant_table(constant_columns);
const Table<CalibrationErrors> calibration_error_table(error_columns);
const Table<CalibratedRow> calibrated_row_table(row_columns);

std::vector<CalibratedConstant> constants_of(const std::vector<Calibration>& calibrations) {
  std::vector<CalibratedConstant> constants;
  for (const Calibration& calibration : calibrations)
    for (const FittedConstant& fitted : calibration.constants) constants.push_back({calibration.of, &fitted});
  return constants;
}

std::vector<CalibrationErrors> errors_of(const std::vector<Calibration>& calibrations) {
  std::vector<CalibrationErrors> errors;
  for (const Calibration& calibration : calibrations)
    errors.push_back({calibration.of, calibration.rows.size(), median_error(calibration.before),
                      median_error(calibration.after), signed_error(calibration.before),
                      signed_error(calibration.after)});
  return errors;
}

std::vector<CalibratedRow> rows_of(const std::vector<Calibration>& calibrations) {
  std::vector<CalibratedRow> rows;
  for (const Calibration& calibration : calibrations)
    for (std::size_t i = 0; i < calibration.rows.size(); ++i)
      rows.push_back({calibration.of, calibration.rows[i], std::expm1(calibration.before[i]),
                      std::expm1(calibration.after[i])});
  return rows;
}

std::string calibration_text(const std::vector<Calibration>& calibrations) {
  std::string text;
  for (const Calibration& calibration : calibrations)
    text += (text.empty() ? "" : "\n") + text_of(calibration);
  return text;
}

nlohmann::ordered_json calibration_to_json(const FileCalibration& calibration) {
  using Json = nlohmann::ordered_json;
  const std::vector<Calibration>& all = calibration.calibrations;
  return {{"constants", json_of<Json>(calibrated_constant_table, constants_of(all))},
          {"errors", json_of<Json>(calibration_error_table, errors_of(all))},
          {"rows", json_of<Json>(calibrated_row_table, rows_of(all))},
          {"yaml", calibration.file}};
}

}  // namespace orrery::core
