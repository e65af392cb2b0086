#include "report/accuracy/error_interval.hpp"

#include <cmath>

namespace orrery::core {

bool is_tie(double ratio, const PredictionAccuracy& a, const PredictionAccuracy& b) {
  return is_tie(ratio, a.time, b.time, a.kin == b.kin);
}

bool is_tie(double ratio, const ErrorInterval& a, const ErrorInterval& b, bool are_kin) {
  const auto half = [are_kin](const ErrorInterval& of) {
    return are_kin ? std::log(of.between_layouts) : std::log(of.high / of.low) / 2;
  };
  return std::abs(std::log(ratio)) <= std::hypot(half(a), half(b));
}

}  // namespace orrery::core
