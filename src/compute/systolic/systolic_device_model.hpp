// A device made of systolic arrays, such as a TPU.
//
//   product       launch + max(cycles / clock * array peak / peak of the datatype, bytes / bandwidth)
//   attention     its products one after the other, half of them where they are masked; scores stay on chip
//   anything else by the roofline (roofline_model.hpp)
//
// Cycles are systolic_cost()'s, weight stationary: the arrays share each product by the larger of M and N, or
// the products of a batch one by one, whichever is faster. Bytes are those of all operands, once, at the
// bandwidth that the roofline takes main memory for. A format of twice the arrays' peak multiplies twice as
// fast; differences below 5 % are the data sheet's rounding.
//
// Valid where operands arrive in time: on-chip buffers are taken to hold what a fold reads again. No fold
// overlaps the next, so products of few rows per fold (M below some hundreds) come out slower than on arrays
// that load weights ahead.
#pragma once

#include "compute/compute_model.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "compute/systolic/systolic_array.hpp"

namespace orrery {

// The arrays of a device, at its clock, with unlimited buffers' bandwidth. The device has to have `systolic`.
// Throws InputError when its clock is not known.
SystolicArray systolic_array_of(const Device& device);

class SystolicDeviceModel final : public ComputeModel {
 public:
  // Throws as systolic_array_of() does.
  explicit SystolicDeviceModel(const Device& device);

  // Throws InputError when the device has no peak for the operator's datatype.
  OperatorCost cost(const Operator& op) const override;
  CostExplanation explain(const Operator& op) const override;

 private:
  // The time that products take on the arrays, one after another.
  struct ArrayTime {
    double seconds = 0;
    double streaming_seconds = 0;  // of these, in which operands stream
    double mapped_seconds = 0;     // seconds, weighted by the share of units that folds use
    double folds = 0;
  };
  ArrayTime array_time(const Operator& op) const;
  double speed(Datatype type) const;

  RooflineModel roofline_;
  SystolicArray array_;
  double array_peak_;  // of all arrays: two operations per unit and cycle
};

}  // namespace orrery
