#include "workload/generate/layer_contention.hpp"

#include <algorithm>
#include <cmath>

#include "base/units/seconds.hpp"

namespace orrery::core {

namespace {

// Operators follow one another, so what collectives lose is the mean over their time.
Contention contention_of(const std::vector<Operator>& operators, const ComputeModel& model,
                         const ContendedDevice& device) {
  double seconds = 0, more = 0, lost = 0;
  for (const Operator& op : operators) {
    const OperatorCost alone = model.cost(op);
    const double longer = device.more_seconds(op, alone);
    more += longer;
    seconds += alone.seconds + longer;
    lost += device.slows(alone) * (alone.seconds + longer);
  }
  constexpr double ppm = 1e6;
  return {Seconds(more).rounded(),
          seconds > 0 ? static_cast<std::uint32_t>(std::lround(lost / seconds * ppm)) : 0};
}

}  // namespace

LayerTable with_contention(LayerTable table, const ModelOperators& operators, const EndpointLoad& load) {
  const ContendedDevice contended(*operators.device, load);
  for (std::size_t row = 0; row < table.layers.size(); ++row) {
    Layer& layer = table.layers[row];
    LayerStep* const steps[] = {&layer.forward, &layer.input_gradient, &layer.weight_gradient};
    for (std::size_t pass = 0; pass < passes_of_a_layer; ++pass)
      steps[pass]->contention =
          contention_of(operators.rows[row].of_pass[pass], *operators.device->model, contended);
  }
  return table;
}

}  // namespace orrery::core
