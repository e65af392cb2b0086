#include "memory/parameter_state.hpp"

namespace orrery::core {

ParameterState bytes_per_parameter(Optimizer optimizer, Precision precision) {
  const bool mixed = precision != Precision::fp32;
  const double master_copy = mixed ? 4 : 0;
  const double moments = optimizer == Optimizer::adam ? 2 : optimizer == Optimizer::momentum ? 1 : 0;
  return {mixed ? 2.0 : 4.0, precision == Precision::mixed ? 2.0 : 4.0, master_copy + 4 * moments};
}

ParameterState parameter_state(double parameters, Optimizer optimizer, Precision precision,
                               Sharding sharding) {
  ParameterState state = bytes_per_parameter(optimizer, precision);
  const auto share_from = [&](int stage) { return sharding.stage >= stage ? double(sharding.ranks) : 1.0; };
  state.weights *= parameters / share_from(3);
  state.gradients *= parameters / share_from(2);
  state.optimizer *= parameters / share_from(1);
  return state;
}

}  // namespace orrery::core
