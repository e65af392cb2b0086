#include "workload/models/layer_cost.hpp"

#include <cmath>
#include <cstdint>

#include "base/quantity.hpp"

namespace orrery {

LayerCost::LayerCost(double flops_per_second, int bytes_per_element, const SourceLocation& where)
    : flops_per_second_(flops_per_second), bytes_per_element_(bytes_per_element), where_(where) {
  if (!(flops_per_second > 0))
    throw InputError(where, "a model needs the compute rate of the NPU; write `peak: 100 TFLOP/s`");
  if (bytes_per_element < 1) throw InputError(where, "an element needs at least one byte");
}

Time LayerCost::time(double operations) const {
  const double ns = std::round(operations / flops_per_second_ * 1e9);
  if (!Time::is_input_ns(ns))
    throw InputError(where_,
                     "a layer of this model computes for more than 30 days; check the peak and the batch");
  return Time::from_ns(static_cast<std::int64_t>(ns));
}

Bytes LayerCost::bytes(double elements) const {
  if (elements * bytes_per_element_ > largest_size.as_double())
    throw InputError(where_, "a layer of this model sends more than 8 PiB; check its sizes");
  return Bytes(static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(bytes_per_element_));
}

}  // namespace orrery
