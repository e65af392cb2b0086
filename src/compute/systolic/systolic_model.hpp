// A systolic array as a compute model.
#pragma once

#include "compute/compute_model.hpp"
#include "compute/systolic/systolic_array.hpp"

namespace orrery::core {

// Runs matrix products and convolutions by systolic_cost(), at the array's frequency. Buffers and bandwidth
// count words, so operators of all formats take equally long; bytes are those of the format. Elementwise
// operators take the time that main memory needs for them, and are an error without a bandwidth.
class SystolicModel : public ComputeModel {
 public:
  explicit SystolicModel(const SystolicArray& array) : array_(array) {}

  OperatorCost cost(const Operator& op) const override;
  CostExplanation explain(const Operator& op) const override;

 private:
  SystolicArray array_;
};

}  // namespace orrery::core
