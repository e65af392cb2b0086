// Compares the computed layer tables with reference ones, field by field, where the references are at hand.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/files/file.hpp"
#include "support/source_dir.hpp"
#include "workload/astra1/layer_table_reader.hpp"
#include "workload/models/model_catalogue.hpp"
#include "workload/models/network_layer_table.hpp"

namespace orrery::core::golden_tables_test {
namespace {

// The folder of reference results: $ORRERY_GOLDENS, else beside the source folder.
std::filesystem::path goldens_folder() {
  if (const char* folder = std::getenv("ORRERY_GOLDENS")) return folder;
  return std::filesystem::path(test::source_dir()) / ".." / "shared" / "goldens";
}

void expect_same_step(const LayerStep& actual, const LayerStep& expected, const std::string& where) {
  EXPECT_EQ(actual.compute, expected.compute) << where << " compute " << actual.compute.ps();
  EXPECT_EQ(actual.collective, expected.collective) << where;
  EXPECT_EQ(actual.all_reduce_all_to_all, expected.all_reduce_all_to_all) << where;
  EXPECT_EQ(actual.size, expected.size) << where << " size " << actual.size.count();
}

void expect_same_table(const LayerTable& actual, const LayerTable& expected) {
  EXPECT_EQ(actual.policy, expected.policy);
  EXPECT_EQ(actual.model_parallel_group, expected.model_parallel_group);
  EXPECT_EQ(actual.checkpoints, expected.checkpoints);
  EXPECT_EQ(actual.initiators, expected.initiators);
  EXPECT_EQ(actual.last_bottom_layer, expected.last_bottom_layer);
  ASSERT_EQ(actual.layers.size(), expected.layers.size());
  for (std::size_t i = 0; i < actual.layers.size(); ++i) {
    const Layer &a = actual.layers[i], &e = expected.layers[i];
    EXPECT_EQ(a.name, e.name);
    expect_same_step(a.forward, e.forward, e.name + " forward");
    expect_same_step(a.input_gradient, e.input_gradient, e.name + " input gradient");
    expect_same_step(a.weight_gradient, e.weight_gradient, e.name + " weight gradient");
    EXPECT_EQ(a.delay, e.delay) << e.name;
    EXPECT_EQ(a.policy, e.policy) << e.name;
  }
}

class GoldenTable : public testing::TestWithParam<const char*> {
 protected:
  // Skips the test where the reference is not there.
  void expect(const LayerTable& computed) const {
    const std::filesystem::path path = goldens_folder() / "seed" / GetParam() / "workload.txt";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    Warnings warnings;
    expect_same_table(computed,
                      read_layer_table(read_file_of_any_kind(path.string()), path.string(), warnings));
  }
};

class GoldenVgg16 : public GoldenTable {};
TEST_P(GoldenVgg16, is_computed) {
  expect(layer_table_of(find_model("vgg16", {}, no_files()), {.flops_per_second = 46 * 0x1p40}));
}
INSTANTIATE_TEST_SUITE_P(Seeds, GoldenVgg16, testing::Values("tpu_vgg16", "dgx2_vgg16"));

class GoldenGpt3 : public GoldenTable {};
TEST_P(GoldenGpt3, is_computed) {
  expect(layer_table_of(find_model("gpt3", {}, no_files(), {{"transformer-layers", 3, {}}}),
                        {.flops_per_second = 62 * 0x1p40}));
}
INSTANTIATE_TEST_SUITE_P(Seeds, GoldenGpt3, testing::Values("tpu_gpt3", "dgx2_gpt3"));

}  // namespace
}  // namespace orrery::core::golden_tables_test
