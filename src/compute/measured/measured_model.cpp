#include "compute/measured/measured_model.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace orrery::core {
namespace {

std::array<double, 4> logarithms_of(const Gemm& gemm) {
  return {std::log(static_cast<double>(gemm.m)), std::log(static_cast<double>(gemm.n)),
          std::log(static_cast<double>(gemm.k)), std::log(static_cast<double>(gemm.batch))};
}

}  // namespace

MeasuredModel::MeasuredModel(const std::vector<ShapeRow>& rows, Datatype usual_type,
                             std::shared_ptr<const ComputeModel> otherwise)
    : otherwise_(std::move(otherwise)) {
  for (const ShapeRow& row : rows) {
    if (!row.seconds)
      throw InputError(row.where, "a table of measurements needs the column `time_us`, add it");
    rows_.push_back({row.gemm, row.type.value_or(usual_type), logarithms_of(row.gemm), *row.seconds});
  }
}

std::optional<double> MeasuredModel::measured(const Gemm& gemm, Datatype type) const {
  double sum = 0;
  int count = 0;
  for (const Row& row : rows_) {
    if (row.type != type || row.gemm != gemm) continue;
    sum += row.seconds;
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

std::optional<double> MeasuredModel::interpolated(const Extents& at, Datatype type) const {
  double closest = std::numeric_limits<double>::infinity();
  std::optional<double> seconds;
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    const Row *below = nullptr, *above = nullptr;
    for (const Row& row : rows_) {
      bool on_line = row.type == type;
      for (std::size_t other = 0; other < at.size(); ++other)
        on_line = on_line && (other == axis || row.extents[other] == at[other]);
      if (!on_line) continue;
      const double extent = row.extents[axis];
      if (extent < at[axis] && (!below || extent > below->extents[axis])) below = &row;
      if (extent > at[axis] && (!above || extent < above->extents[axis])) above = &row;
    }
    if (!below || !above) continue;
    const double gap = above->extents[axis] - below->extents[axis];
    if (gap >= closest) continue;
    closest = gap;
    const double share = (at[axis] - below->extents[axis]) / gap;
    seconds = below->seconds * std::pow(above->seconds / below->seconds, share);
  }
  return seconds;
}

std::optional<double> MeasuredModel::at_nearest_rate(const Extents& at, Datatype type) const {
  double closest = std::numeric_limits<double>::infinity();
  std::optional<double> seconds;
  for (const Row& row : rows_) {
    if (row.type != type) continue;
    double distance = 0, flops_ratio = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      const double difference = at[axis] - row.extents[axis];
      distance += difference * difference;
      flops_ratio += difference;
    }
    if (distance >= closest) continue;
    closest = distance;
    seconds = row.seconds * std::exp(flops_ratio);
  }
  return seconds;
}

std::optional<MeasuredModel::Answer> MeasuredModel::answer_of(const Operator& op) const {
  const auto* gemm = std::get_if<Gemm>(&op.work);
  if (!gemm) return std::nullopt;
  if (const auto seconds = measured(*gemm, op.type)) return Answer{*seconds, CostSource::measured};
  const Extents at = logarithms_of(*gemm);
  if (const auto seconds = interpolated(at, op.type)) return Answer{*seconds, CostSource::interpolated};
  if (const auto seconds = at_nearest_rate(at, op.type)) return Answer{*seconds, CostSource::nearest_rate};
  return std::nullopt;
}

OperatorCost MeasuredModel::cost(const Operator& op) const {
  OperatorCost cost = otherwise_->cost(op);
  const auto answer = answer_of(op);
  if (!answer) return cost;
  cost.utilization *= cost.seconds / answer->seconds;
  cost.seconds = answer->seconds;
  return cost;
}

CostExplanation MeasuredModel::explain(const Operator& op) const {
  CostExplanation explanation = otherwise_->explain(op);
  if (const auto answer = answer_of(op)) take_time_of(explanation, answer->source, answer->seconds);
  return explanation;
}

}  // namespace orrery::core
