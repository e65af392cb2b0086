#include "study/calibration/measured/product_measurements.hpp"

#include <fmt/format.h>

#include <cmath>

#include "compute/roofline/roofline_model.hpp"

namespace orrery::core {

ProductMeasurements::ProductMeasurements(std::vector<ShapeRow> rows, const CalibratedPlatform& platform)
    : rows_(std::move(rows)), platform_(platform) {
  for (const ShapeRow& row : rows_) {
    if (!row.seconds)
      throw InputError(row.where, "this product has no time; give its `time_us`, or leave the line out");
    if (!row.type)
      throw InputError(row.where, "this product has no number format; give its `datatype`, such as `bf16`");
    require_product_peak(platform.as_it_is().device.facts, *row.type, row.where);
  }
}

std::string ProductMeasurements::described() const {
  return fmt::format("{} products", rows_.size());
}

std::string ProductMeasurements::row_name(std::size_t row) const {
  const auto& [m, n, k, batch] = rows_[row].gemm;
  return fmt::format("{} x {} x {} x {} {}", batch, m, n, k, word_of(datatype_words, *rows_[row].type));
}

std::vector<double> ProductMeasurements::errors(const ConstantValues& values,
                                                const StepListener& tell) const {
  const Platform platform = platform_.with(constants(), values);
  std::vector<double> errors;
  for (const ShapeRow& row : rows_)
    errors.push_back(std::log(platform.device.model->cost({"", row.gemm, *row.type}).seconds / *row.seconds));
  if (tell) tell(rows(), rows(), "products");
  return errors;
}

}  // namespace orrery::core
