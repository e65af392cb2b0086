#include "compute/systolic/systolic_model.hpp"

#include <algorithm>
#include <optional>

#include "compute/cost_explanation.hpp"
#include "compute/systolic/systolic_cost.hpp"
#include "compute/systolic/systolic_operation.hpp"

namespace orrery::core {
namespace {

OperatorCost cost_of(const SystolicOperation& operation, const Operator& op, const SystolicArray& array,
                     const SystolicCost& systolic) {
  OperatorCost cost;
  cost.seconds = static_cast<double>(systolic.cycles) / array.frequency;
  cost.flops = 2.0 * static_cast<double>(operation.m) * static_cast<double>(operation.n) *
               static_cast<double>(operation.k) * static_cast<double>(operation.repeats);
  const double word = bytes_of(op.type);
  cost.bytes_read = word * (static_cast<double>(systolic.dram.input_reads) +
                            static_cast<double>(systolic.dram.filter_reads));
  cost.bytes_written = word * static_cast<double>(systolic.dram.output_writes);
  if (systolic.stall_cycles > 0) cost.bound = OperatorCost::Bound::memory;
  cost.utilization = systolic.overall_utilization;
  return cost;
}

OperatorCost cost_of(const SystolicOperation& operation, const Operator& op, const SystolicArray& array) {
  return cost_of(operation, op, array, systolic_cost(array, operation, {op.name}));
}

OperatorCost cost_of(const Elementwise& work, const Operator& op, const SystolicArray& array) {
  if (!array.bandwidth)
    throw InputError({op.name},
                     "is no matrix product, the only thing a systolic array computes; give the "
                     "array a bandwidth to main memory");
  OperatorCost cost;
  cost.flops = work.flops;
  cost.bytes_read = bytes_of(op.type) * static_cast<double>(work.elements_read);
  cost.bytes_written = bytes_of(op.type) * static_cast<double>(work.elements_written);
  cost.bound = OperatorCost::Bound::memory;
  // Reads and writes have ports of their own.
  cost.seconds = static_cast<double>(std::max(work.elements_read, work.elements_written)) /
                 static_cast<double>(*array.bandwidth) / array.frequency;
  return cost;
}

// The array keeps no scores between products, so they are products one after another.
OperatorCost cost_of(const Attention& a, const Operator& op, const SystolicArray& array) {
  OperatorCost sum;
  double weighted = 0;
  for (const Gemm& product : products_of(a)) {
    const OperatorCost cost = cost_of(systolic_operation(product, {op.name}), op, array);
    sum.seconds += cost.seconds;
    sum.flops += cost.flops;
    sum.bytes_read += cost.bytes_read;
    sum.bytes_written += cost.bytes_written;
    if (cost.bound == OperatorCost::Bound::memory) sum.bound = cost.bound;
    weighted += cost.utilization * cost.seconds;
  }
  sum.utilization = sum.seconds > 0 ? weighted / sum.seconds : 0;
  return sum;
}

}  // namespace

OperatorCost SystolicModel::cost(const Operator& op) const {
  const SourceLocation where{op.name};
  if (const auto* gemm = std::get_if<Gemm>(&op.work))
    return cost_of(systolic_operation(*gemm, where), op, array_);
  if (const auto* convolution = std::get_if<Convolution>(&op.work))
    return cost_of(systolic_operation(*convolution, LastWindow::inside, where), op, array_);
  if (const auto* attention = std::get_if<Attention>(&op.work)) return cost_of(*attention, op, array_);
  return cost_of(std::get<Elementwise>(op.work), op, array_);
}

// Only products have folds of their own; attention is several products.
CostExplanation SystolicModel::explain(const Operator& op) const {
  CostExplanation explanation;
  explanation.cost = cost(op);
  explanation.source = CostSource::systolic;
  explanation.limit =
      explanation.cost.bound == OperatorCost::Bound::memory ? Limit::main_memory : Limit::systolic_arrays;
  const SourceLocation where{op.name};
  std::optional<SystolicOperation> operation;
  if (const auto* gemm = std::get_if<Gemm>(&op.work)) operation = systolic_operation(*gemm, where);
  if (const auto* convolution = std::get_if<Convolution>(&op.work))
    operation = systolic_operation(*convolution, LastWindow::inside, where);
  const double peak =
      2.0 * static_cast<double>(array_.rows * array_.columns * array_.arrays) * array_.frequency;
  LossChain chain(explanation, operation ? explanation.cost.flops / peak : 0);
  if (operation) {
    const SystolicCost cost = systolic_cost(array_, *operation, where);
    const double streaming = static_cast<double>(cost.streaming_cycles),
                 busy = static_cast<double>(cost.cycles - cost.stall_cycles);
    chain.add(Loss::edges, streaming / array_.frequency);
    chain.add(Loss::filling, busy / array_.frequency);
    explanation.folds =
        FoldUse{static_cast<double>(cost.folds), cost.mapping_efficiency, busy > 0 ? streaming / busy : 1};
  }
  chain.add(operation ? Loss::overlap : Loss::unexplained, explanation.cost.seconds);
  return explanation;
}

}  // namespace orrery::core
