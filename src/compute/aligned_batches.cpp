#include "compute/aligned_batches.hpp"

#include <cmath>

#include "compute/cost_explanation.hpp"

namespace orrery::core {
namespace {

constexpr double aligned_row_bytes = 16;

bool rows_are_aligned(const Gemm& gemm, Datatype type) {
  for (const std::uint64_t elements : {gemm.k, gemm.n})
    if (std::fmod(static_cast<double>(elements) * bytes_of(type), aligned_row_bytes) != 0) return false;
  return true;
}

}  // namespace

AlignedBatches::AlignedBatches(std::shared_ptr<const ComputeModel> model, const Device& device)
    : model_(std::move(model)), vector_peak_(device.vector_peak[Datatype::fp32]) {}

// Returns none where the product keeps the matrix units, or is as slow on them.
std::optional<double> AlignedBatches::seconds_on_vectors(const Operator& op, const OperatorCost& cost) const {
  const auto* gemm = std::get_if<Gemm>(&op.work);
  if (!gemm || gemm->batch == 1 || vector_peak_ <= 0 || rows_are_aligned(*gemm, op.type)) return std::nullopt;
  const double on_vectors = cost.flops / vector_peak_;
  return on_vectors > cost.seconds ? std::optional(on_vectors) : std::nullopt;
}

namespace {

void take_time_of_vectors(OperatorCost& cost, double seconds) {
  cost.utilization *= cost.seconds / seconds;
  cost.seconds = seconds;
  cost.bound = OperatorCost::Bound::compute;
}

}  // namespace

OperatorCost AlignedBatches::cost(const Operator& op) const {
  OperatorCost cost = model_->cost(op);
  if (const auto seconds = seconds_on_vectors(op, cost)) take_time_of_vectors(cost, *seconds);
  return cost;
}

CostExplanation AlignedBatches::explain(const Operator& op) const {
  CostExplanation explanation = model_->explain(op);
  const auto seconds = seconds_on_vectors(op, explanation.cost);
  if (!seconds) return explanation;
  explanation.lost_to(Loss::other_units) += *seconds - explanation.cost.seconds;
  explanation.limit = Limit::vector_units;
  take_time_of_vectors(explanation.cost, *seconds);
  return explanation;
}

}  // namespace orrery::core
