#include "study/calibration/fitted_constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/calibration/least_squares.hpp"

namespace orrery::core {
namespace {

// Standard errors, as shares of the value. A constant with a larger one than the second is not told, and one
// in between only if it helps to predict.
constexpr double error_of_told = 0.25, largest_error = 0.5;
constexpr double derivative_step = 0.01;  // of derivatives, as a share of the value

// The constants of measurements, some of which are free. Values are fitted by their logarithms, so that
// errors are shares and all constants are alike.
class FreeConstants {
 public:
  FreeConstants(const Measurements& measurements, const StepListener& tell)
      : measurements_(&measurements),
        tell_(&tell),
        constants_(measurements.constants()),
        why_not_(constants_.size()) {
    for (const Constant& constant : constants_) before_.push_back(constant.of(measurements.machine()));
  }

  std::size_t free() const { return static_cast<std::size_t>(std::ranges::count(why_not_, std::string())); }
  void give_up(std::size_t constant, std::string why) { why_not_[constant] = std::move(why); }
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < constants_.size(); ++i)
      if (why_not_[i].empty()) free.push_back(i);
    return free;
  }

  // Fits those that are free, from where the last fit has ended.
  LeastSquaresFit fit() {
    std::vector<double> start;
    std::vector<Bounds> bounds;
    for (const std::size_t i : places()) {
      const double begin = before_[i] > 0 ? before_[i] : constants_[i].begin;
      start.push_back(last_.empty() ? std::log(begin) : std::log(last_[i] > 0 ? last_[i] : begin));
      bounds.push_back({std::log(constants_[i].least), std::log(constants_[i].most)});
    }
    if (last_.empty() && start.size() > 1) leave_plateaus(start, bounds);
    const LeastSquaresFit found =
        least_squares([&](const std::vector<double>& logarithms) { return errors(values(logarithms)); },
                      std::move(start), bounds, derivative_step);
    last_ = values(found.values);
    return found;
  }

  // Returns the values of all constants, from the logarithms of those that are free.
  ConstantValues values(const std::vector<double>& logarithms) const {
    ConstantValues values = before_;
    const std::vector<std::size_t> free = places();
    for (std::size_t i = 0; i < free.size(); ++i) values[free[i]] = std::exp(logarithms[i]);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const auto leader = leader_of(i); leader && !why_not_[i].empty() && before_[*leader] > 0)
        values[i] = std::clamp(before_[i] * values[*leader] / before_[*leader], constants_[i].least,
                               constants_[i].most);
    return values;
  }

  const std::vector<double>& before() const { return before_; }
  std::vector<double> errors(const ConstantValues& values) const {
    return measurements_->errors(values, *tell_);
  }
  FittedConstant fitted(std::size_t i, const ConstantValues& values, std::optional<double> error) const {
    return {&constants_[i], before_[i], values[i], error, why_not_[i]};
  }
  bool is_at_bounds(std::size_t i, double logarithm) const {
    constexpr double near = 1e-6;
    return logarithm < std::log(constants_[i].least) + near ||
           logarithm > std::log(constants_[i].most) - near;
  }

 private:
  double squares(const std::vector<double>& logarithms) const {
    double sum = 0;
    for (const double error : errors(values(logarithms))) sum += error * error;
    return sum;
  }
  // A constant may change nothing where it is now, because something else limits what was measured. Then the
  // fit begins where the measurements are met best, of a few places.
  void leave_plateaus(std::vector<double>& start, const std::vector<Bounds>& bounds) const {
    double least = squares(start);
    for (std::size_t i = 0; i < start.size(); ++i) {
      std::vector<double> moved = start;
      moved[i] = std::max(start[i] - derivative_step, bounds[i].least);
      if (squares(moved) != least) continue;
      for (const double factor : {0.7, 0.5, 0.35, 0.25, 1.4, 2.0, 4.0}) {
        moved[i] = std::clamp(start[i] + std::log(factor), bounds[i].least, bounds[i].most);
        if (const double sum = squares(moved); sum < least) {
          least = sum;
          start[i] = moved[i];
        }
      }
    }
  }

  std::optional<std::size_t> leader_of(std::size_t i) const {
    for (std::size_t leader = 0; leader < constants_.size(); ++leader)
      if (!constants_[i].follows.empty() && constants_[leader].key == constants_[i].follows) return leader;
    return std::nullopt;
  }

  const Measurements* measurements_;
  const StepListener* tell_;
  std::span<const Constant> constants_;
  std::vector<double> before_;
  ConstantValues last_;  // of the last fit; empty: there was none
  std::vector<std::string> why_not_;
};

// Gives up the constant that the fit tells least and fits the others, and returns whether there was one.
bool give_up_one(FreeConstants& constants, LeastSquaresFit& fit) {
  const std::vector<std::size_t> free = constants.places();
  if (free.size() == 1) return false;
  std::size_t worst = 0;
  for (std::size_t i = 1; i < free.size(); ++i)
    if (fit.errors[i] >= fit.errors[worst]) worst = i;
  if (const double error = fit.errors[worst]; error > error_of_told) {
    FreeConstants others = constants;
    others.give_up(free[worst], std::isinf(error)
                                    ? "nothing measured depends on it, or not on it alone"
                                    : fmt::format("its standard error would be {:.0f} % of it", 100 * error));
    LeastSquaresFit without = others.fit();
    if (error > largest_error || without.left_out <= fit.left_out) {
      constants = std::move(others);
      fit = std::move(without);
      return true;
    }
  }
  for (std::size_t i = free.size(); i-- > 1;) {
    if (!constants.is_at_bounds(free[i], fit.values[i])) continue;
    constants.give_up(free[i], "its best value would be at its bounds");
    fit = constants.fit();
    return true;
  }
  return false;
}

}  // namespace

std::string FittedConstant::text_of_error() const {
  constexpr double least_shown = 0.001;
  return *error < least_shown ? "below 0.1 %" : fmt::format("{:.2g} %", 100 * *error);
}

Calibration calibrate(const Measurements& measurements, const StepListener& tell) {
  FreeConstants constants(measurements, tell);
  const std::size_t rows = measurements.rows(), most = rows > 1 ? rows - 1 : 1;
  for (std::size_t i = measurements.constants().size(); i-- > most;)
    constants.give_up(i, rows == 1 ? "one row moves one constant only"
                                   : fmt::format("{} rows tell {} constants at most", rows, most));
  LeastSquaresFit fit = constants.fit();
  while (give_up_one(constants, fit)) continue;
  const ConstantValues values = constants.values(fit.values);
  Calibration calibration{
      measurements.described(), {}, {}, constants.errors(constants.before()), fit.residuals};
  for (std::size_t row = 0; row < rows; ++row) calibration.rows.push_back(measurements.row_name(row));
  std::size_t next = 0;
  const std::vector<std::size_t> free = constants.places();
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::optional<double> error;
    if (next < free.size() && free[next] == i) {
      if (std::isfinite(fit.errors[next])) error = fit.errors[next];
      ++next;
    }
    calibration.constants.push_back(constants.fitted(i, values, error));
  }
  return calibration;
}

double median_error(const std::vector<double>& errors) {
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::expm1(std::abs(error)));
  std::ranges::sort(sizes);
  const std::size_t middle = sizes.size() / 2;
  return sizes.size() % 2 == 1 ? sizes[middle] : (sizes[middle - 1] + sizes[middle]) / 2;
}

}  // namespace orrery::core
