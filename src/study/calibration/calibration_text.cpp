#include "study/calibration/calibration_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/table/table.hpp"

namespace orrery::core {
namespace {

// Returns the mean of the errors, whose sign says whether simulated times are too long.
double signed_error(const std::vector<double>& errors) {
  double sum = 0;
  for (const double error : errors) sum += error;
  return std::expm1(sum / static_cast<double>(errors.size()));
}

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

std::string calibration_text(const std::vector<Calibration>& calibrations) {
  std::string text;
  for (const Calibration& calibration : calibrations)
    text += (text.empty() ? "" : "\n") + text_of(calibration);
  return text;
}

}  // namespace orrery::core
