#include "compute/systolic/systolic_device_model.hpp"

#include <algorithm>
#include <cmath>

#include "compute/systolic/systolic_cost.hpp"
#include "compute/systolic/systolic_operation.hpp"

namespace orrery {
namespace {

constexpr double rounding_of_data_sheets = 0.05;

SystolicOperation operation_of(const Operator& op) {
  const SourceLocation where{op.name};
  if (const auto* gemm = std::get_if<Gemm>(&op.work)) return systolic_operation(*gemm, where);
  return systolic_operation(std::get<Convolution>(op.work), LastWindow::inside, where);
}

double cycles_of(const SystolicArray& array, const SystolicOperation& operation, const std::string& name) {
  return static_cast<double>(systolic_cost(array, operation, {name}).cycles);
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

double SystolicDeviceModel::array_seconds(const Operator& op) const {
  if (const auto* attention = std::get_if<Attention>(&op.work)) {
    double seconds = 0;
    for (const Gemm& product : products_of(*attention)) seconds += array_seconds({op.name, product, op.type});
    return attention->causal ? seconds / 2 : seconds;
  }
  const SystolicOperation operation = operation_of(op);
  double cycles = cycles_of(array_, operation, op.name);
  if (operation.repeats > 1 && array_.arrays > 1) {
    SystolicArray one = array_;
    one.arrays = 1;
    SystolicOperation share = operation;
    share.repeats = (operation.repeats + array_.arrays - 1) / array_.arrays;
    cycles = std::min(cycles, cycles_of(one, share, op.name));
  }
  return cycles / array_.frequency / speed(op.type);
}

OperatorCost SystolicDeviceModel::cost(const Operator& op) const {
  OperatorCost cost = roofline_.cost(op);
  if (std::holds_alternative<Elementwise>(op.work)) return cost;
  const double peak = roofline_.device().product_peak(op.type);
  // If a data sheet rounds its peak down, the arrays' clock must not exceed that peak.
  const double compute = std::max(array_seconds(op), cost.flops / peak);
  const double memory = roofline_.memory_seconds(cost.bytes_read + cost.bytes_written);
  return roofline_.finished(cost, compute, memory, std::max(compute, memory), peak);
}

}  // namespace orrery
