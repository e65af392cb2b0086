// A device whose library of matrix products computes some batches of products without matrix units.
//
// Libraries of about the time of CUDA 11.0 do so where the rows of a batch's products do not begin at
// multiples of 16 bytes, as in attention with heads of 108 elements. Single products keep the matrix units,
// because the libraries pad them or load them in smaller pieces. The time of such a batch is then at least
// that of the vector units in fp32, in which they add up.
#pragma once

#include <memory>
#include <optional>

#include "compute/compute_model.hpp"
#include "compute/device.hpp"

namespace orrery::core {

class AlignedBatches final : public ComputeModel {
 public:
  AlignedBatches(std::shared_ptr<const ComputeModel> model, const Device& device);

  OperatorCost cost(const Operator& op) const override;
  CostExplanation explain(const Operator& op) const override;

 private:
  std::optional<double> seconds_on_vectors(const Operator& op, const OperatorCost& cost) const;

  std::shared_ptr<const ComputeModel> model_;
  double vector_peak_;  // fp32, operations per second; 0: not known
};

}  // namespace orrery::core
