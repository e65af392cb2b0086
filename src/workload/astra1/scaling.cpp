#include "workload/astra1/scaling.hpp"

#include <cmath>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

namespace {

double scaled(double value, double factor, const Dialect& dialect) {
  if (!dialect.single_precision_scaling) return value * factor;
  const float product = static_cast<float>(value) * static_cast<float>(factor);
  return std::trunc(product);
}

}  // namespace

Time scaled(Time value, double factor, const Dialect& dialect) {
  const double whole = static_cast<double>(value.whole_ns());
  const double ns = dialect.single_precision_scaling ? scaled(whole, factor, dialect) : value.ns() * factor;
  if (!Time::is_input_ns(ns)) {
    throw InputError({}, "the compute scale makes a compute time longer than 30 days, choose a smaller one");
  }
  if (!dialect.single_precision_scaling && factor == 1) return value;
  return Time::from_ns_rounded(ns);
}

Bytes scaled(Bytes value, double factor, const Dialect& dialect) {
  const double bytes = scaled(value.as_double(), factor, dialect);
  if (!(bytes <= 9007199254740992.0)) {
    throw InputError({},
                     "the communication scale makes a collective larger than 8 PiB, choose a smaller one");
  }
  return Bytes::rounded(bytes);
}

LayerTable scaled(LayerTable table, const Scales& scales, const Dialect& dialect) {
  for (Layer& layer : table.layers) {
    for (LayerStep* step : {&layer.forward, &layer.input_gradient, &layer.weight_gradient}) {
      step->compute = scaled(step->compute, scales.compute, dialect);
      if (step->awaits_host > Time()) step->awaits_host = scaled(step->awaits_host, scales.compute, dialect);
      if (step->contention.longer > Time())
        step->contention.longer = scaled(step->contention.longer, scales.compute, dialect);
      step->size = scaled(step->size, scales.communication, dialect);
    }
    if (layer.host_calls > Time()) layer.host_calls = scaled(layer.host_calls, scales.compute, dialect);
    if (table.pipeline) layer.output = scaled(layer.output, scales.communication, dialect);
  }
  if (table.evaluation > Time()) table.evaluation = scaled(table.evaluation, scales.compute, dialect);
  if (table.ddp)
    for (Bytes* size : {&table.ddp->states, &table.ddp->used_map})
      *size = scaled(*size, scales.communication, dialect);
  return table;
}

}  // namespace orrery::core
