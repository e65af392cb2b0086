#include "compute/foreign_model.hpp"

#include <fmt/format.h>

#include <cmath>

namespace orrery::core {

OperatorCost ForeignModel::cost(const Operator& op) const {
  constexpr double rounding = 1 + 1e-9;
  const SourceLocation& where = device_.compute_model->where;
  OperatorCost cost = work_.cost(op);
  const double seconds = model_->seconds(op, cost, device_, where);
  if (!std::isfinite(seconds) || seconds < 0 || (seconds == 0 && cost.utilization > 0))
    throw InputError(where, fmt::format("the compute model `{}` says that {} takes {} s, which cannot be",
                                        device_.compute_model->name, op.name, seconds));
  const double at_peak = cost.utilization * cost.seconds;
  if (at_peak > seconds * rounding)
    throw InputError(
        where, fmt::format("the compute model `{}` says that {} takes {:.6g} s, but the device needs {:.6g} "
                           "s at its peak: correct the model or the peaks of the device",
                           device_.compute_model->name, op.name, seconds, at_peak));
  cost.utilization = seconds > 0 ? std::min(1.0, at_peak / seconds) : 0;
  cost.seconds = seconds;
  cost.bound = OperatorCost::Bound::compute;
  return cost;
}

}  // namespace orrery::core
