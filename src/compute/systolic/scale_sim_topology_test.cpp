#include "compute/systolic/scale_sim_topology.hpp"

#include <gtest/gtest.h>

namespace orrery::core::scale_sim_topology_test {
namespace {

std::vector<TopologyLayer> read(const std::string& lines, Warnings& warnings) {
  return read_scale_sim_topology("Layer name, ...,\n" + lines, "t.csv", warnings);
}

SystolicOperation operation_of(const std::string& line) {
  Warnings warnings;
  const auto layers = read(line, warnings);
  EXPECT_EQ(layers.size(), 1u);
  EXPECT_TRUE(warnings.lines().empty());
  SystolicOperation operation = layers.at(0).operation;
  operation.grid.reset();
  return operation;
}

std::string error_of(const std::string& text) {
  Warnings warnings;
  try {
    read_scale_sim_topology(text, "t.csv", warnings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ScaleSimTopology, ProductsAndConvolutions) {
  EXPECT_EQ(operation_of("a, 10, 20, 30,\n"), (SystolicOperation{10, 20, 30, 300, 1}));
  EXPECT_EQ(operation_of("a,10,20,30"), (SystolicOperation{10, 20, 30, 300, 1}));
  EXPECT_EQ(operation_of("c, 14, 14, 3, 3, 16, 32, 1,\r\n\r\n"),
            (SystolicOperation{144, 32, 144, 14 * 14 * 16, 1}));
  EXPECT_EQ(operation_of("c,28,28,5,5,8,16,2,"), (SystolicOperation{169, 16, 200, 28 * 28 * 8, 1}));
  EXPECT_EQ(operation_of("c,28,28,5,5,8,16,2,1,").m, 13u * 24);
  EXPECT_EQ(operation_of("c,28,28,5,5,8,16,2,1").m, 13u * 24);
}

TEST(ScaleSimTopology, DepthWiseLayersHaveOneChannelEach) {
  EXPECT_EQ(operation_of("Conv2_DP,14,14,3,3,16,1,1,"), (SystolicOperation{144, 1, 9, 14 * 14, 16}));
}

TEST(ScaleSimTopology, WhatIsBehindTheLastCommaIsIgnored) {
  Warnings warnings;
  EXPECT_EQ(read("a,1,2,3,first layer\nb,4,5,6,7\n", warnings).size(), 2u);
  EXPECT_EQ(warnings.lines(),
            (std::vector<std::string>{"t.csv:2:9: warning: what stands behind the last comma is ignored",
                                      "t.csv:3:9: warning: what stands behind the last comma is ignored"}));
}

TEST(ScaleSimTopology, TheSparsityOfWeightsStandsBehindTheSizes) {
  Warnings warnings;
  const auto layers = read("a,1,2,3,2:4,\nb,1,2,3,\nc,14,14,3,3,16,32,1,1:4,\n", warnings);
  EXPECT_TRUE(warnings.lines().empty());
  EXPECT_EQ(layers[0].sparsity.kept_of(250), 126u);  // 62 blocks of 4, and 2 of the rest
  EXPECT_TRUE(layers[1].sparsity.is_dense());
  EXPECT_EQ(layers[2].sparsity.kept_of(144), 36u);
  for (const char* line :
       {"a,1,2,3,,\n", "a,1,2,3, , \n", "c,14,14,3,3,16,32,1,,\n", "c,14,14,3,3,16,32,1,1,,\n"}) {
    const auto missing = read(line, warnings);
    EXPECT_TRUE(missing.at(0).sparsity.is_dense()) << line;
  }
  EXPECT_TRUE(warnings.lines().empty());
  EXPECT_EQ(read("a,1,2,3,1:2", warnings)[0].sparsity.block, 2u);
  EXPECT_EQ(warnings.lines(),
            (std::vector<std::string>{
                "t.csv:2:9: warning: SCALE-Sim drops what no comma follows; here the sparsity counts"}));
  EXPECT_EQ(
      error_of("h\na,1,2,3,5:4,\n"),
      "t.csv:2:9: error: `5:4` is no sparsity of weights: of M rows, N are kept as N:M, with N from 1 to M");
}

TEST(ScaleSimTopology, ALayerInPlaceOfTheHeaderIsSuspect) {
  Warnings warnings;
  read_scale_sim_topology("a,1,2,3,\nb,1,2,3,\n", "t.csv", warnings);
  EXPECT_EQ(warnings.lines(),
            (std::vector<std::string>{
                "t.csv:1:1: warning: the first line is taken for a header, although it looks like a layer"}));
}

TEST(ScaleSimTopology, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(error_of(""), "t.csv: error: the file is empty, it has to hold a header and a line per layer");
  EXPECT_EQ(error_of("h\n\n"), "t.csv: error: there is no layer behind the header, add a line per layer");
  EXPECT_EQ(error_of("h\na, 1, x, 3,\n"),
            "t.csv:2:7: error: N has to be a whole number from 1 to 4294967296, not `x`");
  EXPECT_EQ(error_of("h\n ,1,2,3,\n"),
            "t.csv:2:2: error: the layer has no name, write one before the first comma");
  EXPECT_EQ(
      error_of("h\na,1,2\n"),
      "t.csv:2:1: error: a layer has 4 values (name, M, N, K) or 8 to 9 (name, ifmap_h, ifmap_w, filter_h, "
      "filter_w, channels, num_filters, stride_h, stride_w), not 3");
  EXPECT_EQ(error_of("h\nc,4,4,5,3,1,1,1,\n"),
            "t.csv:2:1: error: the filter's height is 5, more than the 4 of its input, make it smaller");
}

}  // namespace
}  // namespace orrery::core::scale_sim_topology_test
