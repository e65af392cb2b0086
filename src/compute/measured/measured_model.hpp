// Uses the user's own measurements as a compute model.
//
// A product takes, by the first rule that fits, of the rows of its datatype:
// 1. what was measured for its shape; the mean where that was measured more than once;
// 2. between two rows that differ from it in one extent alone, one below and one above: a straight line in
// the
//    logarithms of extent and time; of several such pairs, the closest;
// 3. as many operations per second as the closest row, by the distance in the logarithms of all extents.
// For anything that the table does not hold - no product, or no row of that datatype - another model is
// asked.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "compute/compute_model.hpp"
#include "compute/cost_explanation.hpp"
#include "compute/measured/shape_table.hpp"

namespace orrery::core {

class MeasuredModel final : public ComputeModel {
 public:
  // Every row needs a time, or InputError is thrown; a row without a datatype counts as `usual_type`.
  // `otherwise` is the model that is asked where the table has no answer; it also gives flops and bytes, so
  // it has to be there.
  MeasuredModel(const std::vector<ShapeRow>& rows, Datatype usual_type,
                std::shared_ptr<const ComputeModel> otherwise);

  OperatorCost cost(const Operator& op) const override;
  CostExplanation explain(const Operator& op) const override;

 private:
  using Extents = std::array<double, 4>;  // logarithms of m, n, k and batch
  struct Row {
    Gemm gemm;
    Datatype type;
    Extents extents;
    double seconds;
  };

  struct Answer {
    double seconds;
    CostSource source;
  };
  std::optional<Answer> answer_of(const Operator& op) const;
  std::optional<double> measured(const Gemm& gemm, Datatype type) const;
  std::optional<double> interpolated(const Extents& at, Datatype type) const;
  std::optional<double> at_nearest_rate(const Extents& at, Datatype type) const;

  std::vector<Row> rows_;
  std::shared_ptr<const ComputeModel> otherwise_;
};

}  // namespace orrery::core
