// A compute model of a plug-in, which a device names by its key `compute-model`.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/diagnostics/diagnostics.hpp"
#include "compute/compute_model.hpp"
#include "compute/device.hpp"
#include "compute/roofline/roofline_model.hpp"

namespace orrery::core {

// What a registry holds under the model's name. Returns seconds for an operator, of which the cost says how
// much it computes, reads and writes. May throw InputError.
struct ForeignComputeModel {
  std::function<double(const Operator& op, const OperatorCost& work, const Device& device,
                       const SourceLocation& where)>
      seconds;
};

// Takes times from the plug-in, and counts what operators compute, read and write as the roofline model does.
class ForeignModel : public ComputeModel {
 public:
  ForeignModel(const Device& device, std::shared_ptr<const ForeignComputeModel> model)
      : device_(device), work_(device), model_(std::move(model)) {}

  // Throws InputError also where the plug-in says a time that cannot be.
  OperatorCost cost(const Operator& op) const override;

 private:
  Device device_;
  RooflineModel work_;
  std::shared_ptr<const ForeignComputeModel> model_;
};

}  // namespace orrery::core
