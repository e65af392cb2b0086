#include "compute/aligned_batches.hpp"

#include <cmath>

namespace orrery {
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

OperatorCost AlignedBatches::cost(const Operator& op) const {
  OperatorCost cost = model_->cost(op);
  const auto* gemm = std::get_if<Gemm>(&op.work);
  if (!gemm || gemm->batch == 1 || vector_peak_ <= 0 || rows_are_aligned(*gemm, op.type)) return cost;
  const double on_vectors = cost.flops / vector_peak_;
  if (on_vectors <= cost.seconds) return cost;
  cost.utilization *= cost.seconds / on_vectors;
  cost.seconds = on_vectors;
  cost.bound = OperatorCost::Bound::compute;
  return cost;
}

}  // namespace orrery
