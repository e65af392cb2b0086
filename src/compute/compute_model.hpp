// Computes how long a device takes for an operator. Systolic arrays, rooflines and measured tables are behind
// this one interface.
#pragma once

#include <array>

#include "base/words.hpp"
#include "compute/operator.hpp"

namespace orrery {

struct OperatorCost {
  enum class Bound : std::uint8_t { compute, memory, launch };

  double seconds = 0;
  double flops = 0;                          // two per multiply-accumulate
  double bytes_read = 0, bytes_written = 0;  // of the device's main memory
  Bound bound = Bound::compute;              // what limits the operator
  double utilization = 0;                    // of the device's compute peak, 0 to 1
};

inline constexpr std::array<Word<OperatorCost::Bound>, 3> bound_words{{
    {"compute", OperatorCost::Bound::compute},
    {"memory", OperatorCost::Bound::memory},
    {"launch", OperatorCost::Bound::launch},
}};

struct CostExplanation;

class ComputeModel {
 public:
  virtual ~ComputeModel() = default;

  // Pure: the same for the same operator. Throws InputError when the device cannot run it.
  virtual OperatorCost cost(const Operator& op) const = 0;
  // Says why the same cost is what it is (compute/cost_explanation.hpp); by default nothing is known of that.
  // Throws as cost() does.
  virtual CostExplanation explain(const Operator& op) const;
};

}  // namespace orrery
