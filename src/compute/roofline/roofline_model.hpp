// Computes a device's time for an operator from its peaks, its memory, and what keeps it from reaching them:
// tiles and waves, alignment, launches, partial sums. docs/models/compute.md has the formulas.
#pragma once

#include <array>
#include <optional>

#include "base/diagnostics/diagnostics.hpp"
#include "compute/compute_model.hpp"
#include "compute/cost_explanation.hpp"
#include "compute/device.hpp"
#include "compute/roofline/gemm_time.hpp"

namespace orrery::core {

class RooflineModel final : public ComputeModel {
 public:
  explicit RooflineModel(Device device);
  RooflineModel(const RooflineModel&) = delete;
  RooflineModel& operator=(const RooflineModel&) = delete;

  // Throws InputError when the device has no peak for the operator's datatype.
  OperatorCost cost(const Operator& op) const override;
  CostExplanation explain(const Operator& op) const override;

  // Returns how the device cuts a product into tiles. Throws whenever cost() throws.
  GemmPlan plan(const Gemm& gemm, Datatype type, const ProductSparsity& sparsity = {}) const;

  // Returns the seconds that main memory takes for `bytes`, at the share of its bandwidth that is reached.
  double memory_seconds(double bytes) const;

  // Returns the seconds that an ideal device would take, which computes `peak` operations per second and
  // moves data at the memory's full bandwidth meanwhile.
  double ideal_seconds(const OperatorCost& cost, double peak) const;
  // Returns the seconds of main memory, at the share of its bandwidth that is reached.
  double memory_seconds(const OperatorCost& cost) const {
    return memory_seconds(cost.bytes_read + cost.bytes_written);
  }
  // Completes the explanation of a cost by its launch, and says what limits the operator: `unit` if that is
  // neither the launch nor main memory.
  void finish(CostExplanation& explanation, LossChain chain, Limit unit) const;

  // Completes a cost whose operations and bytes are known. `compute` and `memory` are the seconds of either
  // alone, `seconds` is the time of both after the launch, and `peak` is the number of operations per second
  // that counts as full utilization.
  OperatorCost finished(OperatorCost cost, double compute, double memory, double seconds, double peak) const;
  // Does the same with a launch of so many seconds.
  OperatorCost finished(OperatorCost cost, double compute, double memory, double seconds, double peak,
                        double launch) const;

  const Device& device() const { return device_; }

 private:
  struct Work;         // of a product
  struct ProductTime;  // what it takes, and how

  ProductTime product_time(const Work& work) const;
  Work product_work(const Operator& op) const;
  CostExplanation explain_product(const Work& work) const;
  CostExplanation explain_overlapped(const OperatorCost& cost, double peak, double compute, Limit unit) const;
  OperatorCost attention_cost(const Attention& work, Datatype type, Datatype stored) const;
  double attention_seconds(const Attention& work, Datatype type) const;
  OperatorCost elementwise_cost(const Elementwise& work, Datatype type) const;
  GemmShape shape_of(const Work& work) const;
  Work work_of(const Gemm& gemm, Datatype type) const;
  Work work_of(const Convolution& convolution, Datatype type) const;
  const GemmTime& gemm_time(const Work& work) const;
  double vector_peak(Datatype type) const;

  Device device_;
  std::array<std::optional<GemmTime>, datatype_words.size()> gemm_times_, convolution_times_;
};

// Throws InputError at `where` when the device cannot multiply in that format.
void require_product_peak(const Device& device, Datatype type, const SourceLocation& where);

// Returns the bytes per element of an operand. Of one with a pattern, the device stores what its own pattern
// keeps, each element with the bits that say where in its block it was; of one with other zeros, what is left
// is stored, with a bit per element that says where it was. Where that would be more than the whole operand,
// the whole is stored.
double stored_bytes(Datatype type, const OperandSparsity& operand, const RooflineConstants& device);
// Returns the share of a product's operations that take time.
double computed_share(const ProductSparsity& sparsity, const RooflineConstants& device);

}  // namespace orrery::core
