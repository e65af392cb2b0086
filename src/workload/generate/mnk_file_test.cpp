#include "workload/generate/mnk_file.hpp"

#include <gtest/gtest.h>

namespace orrery::core::mnk_file_test {
namespace {

TEST(MnkFile, IsRead) {
  Warnings warnings;
  const auto layers =
      read_mnk_file("any header\r\nfirst, 1 ,2,\t3\r\n\nsecond,4,5,6,what\n", "a.csv", false, warnings);
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(layers[0].name, "first");
  EXPECT_EQ(layers[0].gemm, (Gemm{1, 2, 3, 1}));
  EXPECT_EQ(layers[1].gemm, (Gemm{4, 5, 6, 1}));
  EXPECT_EQ(layers[1].policy, std::nullopt);
  EXPECT_EQ(layers[1].where.text(), "a.csv:4:1");
  EXPECT_TRUE(warnings.lines().empty());
}

TEST(MnkFile, LayersMayHaveStrategies) {
  Warnings warnings;
  const auto layers =
      read_mnk_file("h\na,1,2,3,MODEL\nb,1,2,3, HYBRID_MODEL_DATA \n", "a.csv", true, warnings);
  EXPECT_EQ(layers.at(0).policy, TrainingPolicy::model);
  EXPECT_EQ(layers.at(1).policy, TrainingPolicy::hybrid_model_data);
  EXPECT_THROW(read_mnk_file("h\na,1,2,3\n", "a.csv", true, warnings), InputError);
  EXPECT_THROW(read_mnk_file("h\na,1,2,3,MICRO\n", "a.csv", true, warnings), InputError);
}

TEST(MnkFile, BadFilesAreRefused) {
  Warnings warnings;
  for (const char* text :
       {"", "h", "h\n\n", "h\na,1,2\n", "h\na,1,2,3,4,5\n", "h\n,1,2,3\n", "h\na b,1,2,3\n",
        "h\na\rb,1,2,3\n", "h\na\x05,1,2,3\n", "h\na,0,2,3\n", "h\na,1.5,2,3\n", "h\na,1,2,99999999999\n"}) {
    EXPECT_THROW(read_mnk_file(text, "a.csv", false, warnings), InputError) << text;
  }
}

}  // namespace
}  // namespace orrery::core::mnk_file_test
