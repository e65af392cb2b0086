// Measured collectives, which tell constants of links.
#pragma once

#include <string>
#include <vector>

#include "study/calibration/measured/calibrated_platform.hpp"
#include "study/calibration/measured/measurements.hpp"
#include "study/calibration/measured/nccl_tests_file.hpp"

namespace orrery::core {

// Groups in one node tell the constants of the links inside, others those of the links between nodes.
enum class LinksMeasured : std::uint8_t { inside, between };

class CollectiveMeasurements final : public Measurements {
 public:
  // Takes those of the rows that go over these links. Keeps a reference to the platform. Throws InputError at
  // rows that the platform's library cannot carry out there.
  CollectiveMeasurements(const std::vector<MeasuredCollective>& rows, LinksMeasured links,
                         const CalibratedPlatform& platform);

  std::string described() const override;
  std::size_t rows() const override { return rows_.size(); }
  std::string row_name(std::size_t row) const override;
  std::span<const Constant> constants() const override;
  ConstantsOf machine() const override { return platform_.constants(); }
  std::vector<double> errors(const ConstantValues& values, const StepListener& tell) const override;

 private:
  std::vector<MeasuredCollective> rows_;
  LinksMeasured links_;
  const CalibratedPlatform& platform_;
};

}  // namespace orrery::core
