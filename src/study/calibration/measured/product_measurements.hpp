// Measured matrix products, which tell constants of a device.
#pragma once

#include <string>
#include <vector>

#include "compute/measured/shape_table.hpp"
#include "study/calibration/measured/calibrated_platform.hpp"
#include "study/calibration/measured/measurements.hpp"

namespace orrery::core {

class ProductMeasurements final : public Measurements {
 public:
  // Keeps a reference to the platform. Throws InputError at rows that have no time, and at those whose number
  // format is not known or which the device cannot multiply.
  ProductMeasurements(std::vector<ShapeRow> rows, const CalibratedPlatform& platform);

  std::string described() const override;
  std::size_t rows() const override { return rows_.size(); }
  std::string row_name(std::size_t row) const override;
  std::span<const Constant> constants() const override { return product_constants(); }
  ConstantsOf machine() const override { return platform_.constants(); }
  std::vector<double> errors(const ConstantValues& values, const StepListener& tell) const override;

 private:
  std::vector<ShapeRow> rows_;
  const CalibratedPlatform& platform_;
};

}  // namespace orrery::core
