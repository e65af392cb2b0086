// Fits a few values so that a model comes close to measurements.
#pragma once

#include <functional>
#include <vector>

namespace orrery::core {

// Returns by how much the model misses each measurement with these values.
using Residuals = std::function<std::vector<double>(const std::vector<double>& values)>;

struct Bounds {
  double least, most;
};

struct LeastSquaresFit {
  std::vector<double> values;
  // Standard errors of the values: infinite for those that the measurements do not tell, at least not beside
  // the values before them. Without more measurements than values all are infinite.
  std::vector<double> errors;
  std::vector<double> residuals;
  // The mean of the squares by which a fit without a measurement would miss it (Allen, "The relationship
  // between variable selection and data augmentation and a method for prediction", Technometrics 1974), in
  // the linear model. Infinite where a value follows from one measurement alone.
  double left_out = 0;
};

// Minimises the sum of the squares of the residuals by the method of Levenberg and Marquardt (Marquardt, "An
// algorithm for least-squares estimation of nonlinear parameters", 1963). Derivatives are differences over
// `step`, which has to be well above the rounding of the model. Values stay within their bounds, of which
// there has to be one for each. The errors are those of a linear model at the minimum: the variance of the
// residuals times the inverse of the normal equations.
LeastSquaresFit least_squares(const Residuals& residuals, std::vector<double> start,
                              const std::vector<Bounds>& bounds, double step);

}  // namespace orrery::core
