#include "compute/cost_explanation.hpp"

#include <algorithm>

namespace orrery::core {

Loss CostExplanation::largest_loss() const {
  return static_cast<Loss>(std::ranges::max_element(lost) - lost.begin());
}

void take_time_of(CostExplanation& explanation, CostSource source, double seconds) {
  explanation.source = source;
  explanation.limit = Limit::unknown;
  explanation.lost = {};
  explanation.lost_to(Loss::unexplained) = seconds - explanation.ideal_seconds;
  explanation.tiles.reset();
  explanation.folds.reset();
  OperatorCost& cost = explanation.cost;
  if (seconds > 0) cost.utilization *= cost.seconds / seconds;
  cost.seconds = seconds;
}

CostExplanation ComputeModel::explain(const Operator& op) const {
  CostExplanation explanation;
  explanation.cost = cost(op);
  explanation.lost_to(Loss::unexplained) = explanation.cost.seconds;
  return explanation;
}

}  // namespace orrery::core
