// Computes how long a device takes for an operator. Systolic arrays, rooflines and measured tables all
// implement this one interface.
#pragma once

#include <array>

#include "base/diagnostics/words.hpp"
#include "compute/operator.hpp"

namespace orrery::core {

struct OperatorCost {
  enum class Bound : std::uint8_t { compute, memory, launch };

  double seconds = 0;
  double flops = 0;                          // two per multiply-accumulate
  double bytes_read = 0, bytes_written = 0;  // to and from the device's main memory
  Bound bound = Bound::compute;              // what limits the operator
  double utilization = 0;                    // of the device's compute peak, 0 to 1
};

inline constexpr std::array<EnumName<OperatorCost::Bound>, 3> bound_words{{
    {"compute", OperatorCost::Bound::compute},
    {"memory", OperatorCost::Bound::memory},
    {"launch", OperatorCost::Bound::launch},
}};

struct CostExplanation;

class ComputeModel {
 public:
  virtual ~ComputeModel() = default;

  // Is pure: equal operators have equal costs. Throws InputError when the device cannot run the operator.
  virtual OperatorCost cost(const Operator& op) const = 0;
  // Explains how the same cost comes about (compute/cost_explanation.hpp). Unless a model overrides this, the
  // explanation is empty. Throws whenever cost() throws.
  virtual CostExplanation explain(const Operator& op) const;
};

}  // namespace orrery::core
