#include "compute/systolic/systolic_device_model.hpp"

#include <algorithm>
#include <cmath>

#include "compute/systolic/systolic_cost.hpp"
#include "compute/systolic/systolic_operation.hpp"

namespace orrery::core {
namespace {

constexpr double rounding_of_data_sheets = 0.05;

// Arrays that know a pattern hold only the weights that it keeps, in fewer folds along K, but no more of them
// in the place of one than their speedup says.
void hold_kept_weights(SystolicOperation& operation, const RooflineConstants& device) {
  operation.dense_k = operation.k;
  const auto least =
      static_cast<std::uint64_t>(std::ceil(static_cast<double>(operation.k) / device.structured_speedup));
  operation.k = std::max(device.structured_pattern.kept_of(operation.k), least);
}

SystolicOperation operation_of(const Operator& op, const RooflineConstants& device) {
  const SourceLocation where{op.name};
  const auto* gemm = std::get_if<Gemm>(&op.work);
  SystolicOperation operation =
      gemm ? systolic_operation(*gemm, where)
           : systolic_operation(std::get<Convolution>(op.work), LastWindow::inside, where);
  if (!op.sparsity.columns.pattern.is_dense()) hold_kept_weights(operation, device);
  return operation;
}

}  // namespace

SystolicArray systolic_array_of(const Device& device) {
  if (!(device.clock_hz > 0))
    throw InputError({device.name}, "has systolic arrays but no `clock`, add it to the device file");
  SystolicArray array;
  array.rows = static_cast<std::uint64_t>(device.systolic->rows);
  array.columns = static_cast<std::uint64_t>(device.systolic->columns);
  array.arrays = static_cast<std::uint64_t>(device.systolic->count);
  array.frequency = device.clock_hz;
  return array;
}

SystolicDeviceModel::SystolicDeviceModel(const Device& device)
    : roofline_(device),
      array_(systolic_array_of(device)),
      array_peak_(2.0 * static_cast<double>(array_.rows) * static_cast<double>(array_.columns) *
                  static_cast<double>(array_.arrays) * array_.frequency) {}

double SystolicDeviceModel::speed(Datatype type) const {
  const double ratio = roofline_.device().product_peak(type) / array_peak_;
  return std::abs(ratio - 1) < rounding_of_data_sheets ? 1 : ratio;
}

SystolicDeviceModel::ArrayTime SystolicDeviceModel::array_time(const Operator& op) const {
  if (const auto* attention = std::get_if<Attention>(&op.work)) {
    ArrayTime sum;
    const double share = attention->causal ? 0.5 : 1;
    for (const Gemm& product : products_of(*attention)) {
      const ArrayTime time = array_time({op.name, product, op.type});
      sum.seconds += share * time.seconds;
      sum.streaming_seconds += share * time.streaming_seconds;
      sum.mapped_seconds += share * time.mapped_seconds;
      sum.folds += share * time.folds;
    }
    return sum;
  }
  const RooflineConstants& constants = roofline_.device().roofline;
  const SystolicOperation operation = operation_of(op, constants);
  SystolicCost cost = systolic_cost(array_, operation, {op.name});
  if (operation.repeats > 1 && array_.arrays > 1) {
    SystolicArray one = array_;
    one.arrays = 1;
    SystolicOperation share = operation;
    share.repeats = (operation.repeats + array_.arrays - 1) / array_.arrays;
    const SystolicCost apart = systolic_cost(one, share, {op.name});
    if (apart.cycles < cost.cycles) cost = apart;
  }
  const double skipped = op.sparsity.has_pattern() ? 1 : computed_share(op.sparsity, constants);
  const double per_second = array_.frequency * speed(op.type) / skipped;
  const double seconds = static_cast<double>(cost.cycles) / per_second;
  return {seconds, static_cast<double>(cost.streaming_cycles) / per_second, seconds * cost.mapping_efficiency,
          static_cast<double>(cost.folds)};
}

OperatorCost SystolicDeviceModel::cost(const Operator& op) const {
  OperatorCost cost = roofline_.cost(op);
  if (std::holds_alternative<Elementwise>(op.work)) return cost;
  const double peak = roofline_.device().product_peak(op.type);
  // If a data sheet rounds its peak down, the arrays' clock must not exceed that peak.
  const double needed = cost.flops * computed_share(op.sparsity, roofline_.device().roofline);
  const double compute = std::max(array_time(op).seconds, needed / peak);
  const double memory = roofline_.memory_seconds(cost.bytes_read + cost.bytes_written);
  return roofline_.finished(cost, compute, memory, std::max(compute, memory), peak);
}

CostExplanation SystolicDeviceModel::explain(const Operator& op) const {
  if (std::holds_alternative<Elementwise>(op.work)) return roofline_.explain(op);
  CostExplanation explanation;
  explanation.cost = cost(op);
  explanation.source = CostSource::systolic;
  const OperatorCost& all = explanation.cost;
  const double peak = roofline_.device().product_peak(op.type), memory = roofline_.memory_seconds(all);
  const ArrayTime time = array_time(op);
  OperatorCost needed = all;  // without operations that zeros save
  needed.flops *= computed_share(op.sparsity, roofline_.device().roofline);
  LossChain chain(explanation, roofline_.ideal_seconds(needed, peak));
  const double least = std::max(needed.flops / peak, memory);
  chain.add(Loss::rates, std::max(least, needed.flops / (array_peak_ * speed(op.type))));
  chain.add(Loss::edges, std::max(least, time.streaming_seconds));
  chain.add(Loss::filling, std::max(least, time.seconds));
  roofline_.finish(explanation, chain, Limit::systolic_arrays);
  if (time.seconds > 0)
    explanation.folds =
        FoldUse{time.folds, time.mapped_seconds / time.seconds, time.streaming_seconds / time.seconds};
  return explanation;
}

}  // namespace orrery::core
