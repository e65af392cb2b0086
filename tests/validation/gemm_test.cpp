// The roofline model against measured matrix products; README.md has the sources.
#include <gtest/gtest.h>

#include <cmath>

#include "base/files/file.hpp"
#include "compute/device_file.hpp"
#include "compute/measured/shape_table.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::gemm_test {
namespace {

struct Accuracy {
  const char* device;
  double largest_error;  // mean of |time - measured| / measured
};

std::string printed(const testing::TestParamInfo<Accuracy>& info) {
  return info.param.device;
}

double mean_error(const Device& device, const std::vector<ShapeRow>& rows) {
  const RooflineModel model(device);
  double sum = 0;
  for (const ShapeRow& row : rows)
    sum += std::abs(model.cost({"", row.gemm, row.type.value()}).seconds / row.seconds.value() - 1);
  return sum / static_cast<double>(rows.size());
}

std::vector<ShapeRow> measurements(const std::string& device) {
  const std::string file = source_dir() + "/tests/validation/gemm-" + device + ".csv";
  return read_shape_table(read_file_of_any_kind(file), file);
}

class GemmAccuracy : public testing::TestWithParam<Accuracy> {};

TEST_P(GemmAccuracy, MeanErrorIsSmall) {
  const auto [name, largest] = GetParam();
  EXPECT_LE(mean_error(find_device(name, {}, no_files()), measurements(name)), largest);
}

// A constant that was not fitted, or to another model, would show here.
TEST_P(GemmAccuracy, OtherConstantsAreWorse) {
  const std::string name = GetParam().device;
  const auto rows = measurements(name);
  const Device fitted = find_device(name, {}, no_files());
  const double error = mean_error(fitted, rows);
  for (const auto constant : {&RooflineConstants::launch_seconds, &RooflineConstants::matrix_efficiency,
                              &RooflineConstants::memory_efficiency, &RooflineConstants::load_bandwidth,
                              &RooflineConstants::tile_seconds, &RooflineConstants::exposed_share}) {
    Device other = fitted;
    other.roofline.*constant *= 0.8;
    EXPECT_GT(mean_error(other, rows), error);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, GemmAccuracy,
                         testing::Values(Accuracy{"a100", 0.08}, Accuracy{"h100", 0.10},
                                         Accuracy{"v100", 0.14}),
                         printed);

}  // namespace
}  // namespace orrery::core::test::gemm_test
