#include "compute/aligned_batches.hpp"

#include <gtest/gtest.h>

#include "compute/device_model.hpp"

namespace orrery::core::aligned_batches_test {
namespace {

class AlignedBatchesTest : public testing::Test {
 protected:
  double seconds(const ComputeModel& of, Gemm gemm, Datatype type = Datatype::fp16) const {
    return of.cost({"product", gemm, type}).seconds;
  }

  ComputingDevice device = find_computing_device("a100", {}, no_files());
  AlignedBatches model{device.model, device.facts};
};

TEST_F(AlignedBatchesTest, BatchesOfUnalignedRowsTakeTheVectorUnits) {
  const Gemm scores{2048, 2048, 108, 64};
  EXPECT_DOUBLE_EQ(seconds(model, scores), 2.0 * 64 * 2048 * 2048 * 108 / 19.5e12);
  EXPECT_GT(seconds(model, scores), 2 * seconds(*device.model, scores));
  EXPECT_GT(seconds(model, {2048, 108, 2048, 64}), seconds(*device.model, {2048, 108, 2048, 64}));
}

TEST_F(AlignedBatchesTest, OthersAreAsBefore) {
  EXPECT_EQ(seconds(model, {2048, 2048, 104, 64}), seconds(*device.model, {2048, 2048, 104, 64}));
  EXPECT_EQ(seconds(model, {2048, 2048, 108, 1}), seconds(*device.model, {2048, 2048, 108, 1}));
  EXPECT_EQ(seconds(model, {2048, 2048, 108, 64}, Datatype::fp32),
            seconds(*device.model, {2048, 2048, 108, 64}, Datatype::fp32))
      << "four bytes each";
}

}  // namespace
}  // namespace orrery::core::aligned_batches_test
