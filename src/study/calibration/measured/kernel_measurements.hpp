// Kernels that a profiler has recorded, which tell how much slower they are than the device's models say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/profile/activity.hpp"
#include "study/calibration/measured/changed_stack.hpp"
#include "study/calibration/measured/measurements.hpp"

namespace orrery::core {

class KernelMeasurements final : public Measurements {
 public:
  // A row is the time that a measured rank is busy with kernels of one kind in a step. Kinds that take less
  // than a twentieth of all products or of all other kernels are left out, as they would count as much as the
  // others. Throws InputError where both sides have no kind in common.
  KernelMeasurements(const std::vector<RankActivities>& measured, const ChangedStack& stack);

  std::string described() const override;
  std::size_t rows() const override { return rows_.size(); }
  std::string row_name(std::size_t row) const override;
  std::span<const Constant> constants() const override { return kernel_constants(); }
  ConstantsOf machine() const override { return {nullptr, nullptr, &stack_.stack()}; }
  std::vector<double> errors(const ConstantValues& values, const StepListener& tell) const override;

 private:
  struct Row {
    ActivityKind kind;
    std::optional<RankId> rank;
    std::optional<std::int64_t> step;  // its number; none: the profile marks no steps
    double seconds;
  };
  void add_rows(const RankActivities& rank, std::optional<std::int64_t> step);
  std::vector<RankActivities> simulated(const ConstantValues& values) const;

  const ChangedStack& stack_;
  std::vector<Row> rows_;
  std::size_t steps_ = 0;
};

}  // namespace orrery::core
