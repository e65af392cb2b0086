// How far a prediction may be off, and whether two predictions tell runs apart.
#pragma once

#include <optional>
#include <string>

namespace orrery::core {

inline constexpr double usual_interval_share = 0.8, least_interval_share = 0.01, most_interval_share = 0.99;

// The interval in which a share of measurements lie: a prediction p means low * p to high * p.
struct ErrorInterval {
  double share = usual_interval_share;
  double low = 1, high = 1;
  // Two layouts on the same devices with the same software share most of their errors. The factor, at least
  // 1, by which the value of one may be off besides that.
  double between_layouts = 1;

  bool operator==(const ErrorInterval&) const = default;
};

// How far off what is predicted of a run may be.
struct PredictionAccuracy {
  ErrorInterval time;
  std::optional<ErrorInterval> memory;  // none: no measured memory tells
  std::string kin;                      // devices and software; runs of equal kin share most of their errors
};

// Returns whether two runs may as well be equally fast, although one is predicted to take `ratio` times as
// long as the other.
bool is_tie(double ratio, const PredictionAccuracy& a, const PredictionAccuracy& b);
// The same of runs about which it is known whether they are of equal kin.
bool is_tie(double ratio, const ErrorInterval& a, const ErrorInterval& b, bool are_kin);

}  // namespace orrery::core
