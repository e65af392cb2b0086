// The compute model of a device made of systolic arrays, such as a TPU.
//
//   product       launch + max(cycles / clock * array peak / peak of the datatype, bytes / bandwidth)
//   attention     its products one after the other, half of them where they are masked; scores stay on chip
//   anything else by the roofline (roofline_model.hpp)
//
// Cycles are those of systolic_cost() with stationary weights. The arrays share each product by the larger of
// M and N, or they share the products of a batch one by one, whichever is faster. Bytes are those of all
// operands, each counted once, and they move at the bandwidth that the roofline assumes for main memory. A
// format whose peak is twice the arrays' peak multiplies twice as fast; differences below 5 % are taken for
// the data sheet's rounding.
//
// The model holds where operands arrive in time: on-chip buffers are assumed to hold what a fold reads again.
// Because no fold overlaps the next, products of few rows per fold (M below some hundreds) come out slower
// than on arrays that load weights ahead.
#pragma once

#include "compute/compute_model.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "compute/systolic/systolic_array.hpp"

namespace orrery::core {

// Returns the arrays of a device, at its clock, with buffers of unlimited bandwidth. The device has to have
// `systolic`. Throws InputError when its clock is not known.
SystolicArray systolic_array_of(const Device& device);

class SystolicDeviceModel final : public ComputeModel {
 public:
  // Throws whenever systolic_array_of() throws.
  explicit SystolicDeviceModel(const Device& device);

  // Throws InputError when the device has no peak for the operator's datatype.
  OperatorCost cost(const Operator& op) const override;
  CostExplanation explain(const Operator& op) const override;

 private:
  // The time that products take on the arrays, one after another.
  struct ArrayTime {
    double seconds = 0;
    double streaming_seconds = 0;  // the part of these seconds in which operands stream
    double mapped_seconds = 0;     // seconds, weighted by the share of units that folds use
    double folds = 0;
  };
  ArrayTime array_time(const Operator& op) const;
  double speed(Datatype type) const;

  RooflineModel roofline_;
  SystolicArray array_;
  double array_peak_;  // of all arrays together: two operations per unit and cycle
};

}  // namespace orrery::core
