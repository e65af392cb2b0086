// Fits constants to measurements, as many as these tell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/calibration/measured/measurements.hpp"

namespace orrery::core {

struct FittedConstant {
  const Constant* constant = nullptr;
  double before = 0, after = 0;
  // The standard error as a share of the value. None where a single measurement has no scatter, and for
  // constants that are not fitted.
  std::optional<double> error = {};
  std::string why_not = {};  // why it is not fitted; empty: it is

  bool is_fitted() const { return why_not.empty(); }
  std::string text_of_error() const;  // "2.3 %"; only where there is an error
};

struct Calibration {
  std::string of;  // what was measured, "12 steps"
  std::vector<FittedConstant> constants;
  std::vector<std::string> rows;      // names of what was measured
  std::vector<double> before, after;  // logarithms of simulated over measured times, of each row
};

// A constant is given up where its standard error is more than half of its value, or more than a quarter and
// rows that a fit leaves out are predicted no better with it; where its best value is at its bounds; or where
// there are no more rows than constants. The worst goes first, then the others are fitted again. The first of
// the measurements' constants always stays, alone if there is one row. `tell` gets how many rows are done,
// again and again from the beginning; it may throw to end the fit.
Calibration calibrate(const Measurements& measurements, const StepListener& tell = {});

// Returns the median of the rows' errors, as a share: 0.1 where a step is simulated 1.1 times as long as it
// was measured, or 1/1.1 times.
double median_error(const std::vector<double>& errors);

}  // namespace orrery::core
