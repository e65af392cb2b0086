// The rules are in docs/models/training-loops.md, Participation.
#include "workload/astra1/participation.hpp"

#include <gtest/gtest.h>

namespace orrery::core::participation_test {
namespace {

using enum TrainingPolicy;

const DimensionSet none, all = ~none, innermost{1}, outer = ~innermost;

LayerTable table_of(TrainingPolicy policy) {
  LayerTable table;
  table.policy = policy;
  table.layers.resize(2);
  return table;
}

TEST(Participation, FollowsFromThePolicy) {
  struct Row {
    TrainingPolicy policy;
    Participation expected;  // forward, input gradient, weight gradient
  };
  const Row rows[] = {{data, {none, none, all}},
                      {data_reorder, {none, none, all}},
                      {micro, {none, none, all}},
                      {model, {all, all, none}},
                      {distributed_inference, {all, all, none}},
                      {hybrid_data_model, {innermost, innermost, outer}},
                      {hybrid_model_data, {outer, outer, innermost}}};
  for (const Row& row : rows) {
    for (std::size_t layer : {0u, 1u})
      EXPECT_EQ(participation(table_of(row.policy), layer, {}), row.expected);
  }
}

TEST(Participation, DlrmsFirstLayerUsesAllDimensions) {
  for (TrainingPolicy policy : {hybrid_dlrm, hybrid_dlrm_enhanced}) {
    EXPECT_EQ(participation(table_of(policy), 0, {}), (Participation{all, all, all}));
    EXPECT_EQ(participation(table_of(policy), 1, {}), (Participation{none, none, all}));
  }
}

TEST(Participation, CustomizedLayersHaveTheirOwn) {
  LayerTable table = table_of(hybrid_customized);
  table.layers[0].policy = hybrid_dlrm;  // here without its exception for layer 0
  EXPECT_EQ(participation(table, 0, {}), (Participation{none, none, all}));
  table.layers[0].policy = hybrid_model_data;
  EXPECT_EQ(participation(table, 0, {}), (Participation{outer, outer, innermost}));
  EXPECT_EQ(participation(table, 1, {}), (Participation{none, none, none}));  // no usable policy
}

TEST(Participation, TransformersUseTheGroupsDimensions) {
  for (TrainingPolicy policy : {hybrid_transformer, hybrid_transformer_fwd_in_bckwd}) {
    const DimensionSet two{0b11};
    EXPECT_EQ(participation(table_of(policy), 0, {std::nullopt, 1}), (Participation{two, two, ~two}));
    EXPECT_EQ(participation(table_of(policy), 0, {std::nullopt, -1}), (Participation{none, none, all}));
  }
}

class GroupLayoutTest : public testing::Test {
 protected:
  GroupLayout lay_out(std::initializer_list<int> sizes, int group, TrainingPolicy policy = hybrid_transformer,
                      const Dialect& dialect = astra_sim_1_dialect) {
    Topology topology;
    for (int size : sizes) {
      topology.dimensions.emplace_back();
      topology.dimensions.back().size = size;
    }
    LayerTable table = table_of(policy);
    table.model_parallel_group = group;
    table.where = {"w.txt", 1, 1};
    return lay_out_group(table, topology, dialect, warnings);
  }
  void expect_split(const GroupLayout& layout, int physical, int first) {
    ASSERT_TRUE(layout.split);
    EXPECT_EQ(layout.split->physical, physical);
    EXPECT_EQ(layout.split->first, first);
    EXPECT_EQ(layout.last_model_dimension, physical);
  }
  void expect_no_split(const GroupLayout& layout, int last) {
    EXPECT_FALSE(layout.split);
    EXPECT_EQ(layout.last_model_dimension, last);
  }

  Warnings warnings;
};

TEST_F(GroupLayoutTest, MayEndWithADimension) {
  expect_no_split(lay_out({4, 2, 8}, 4), 0);
  expect_no_split(lay_out({4, 2, 8}, 8), 1);
  expect_no_split(lay_out({4, 2, 8}, 64), 2);
  EXPECT_TRUE(warnings.lines().empty());
}

TEST_F(GroupLayoutTest, MaySplitADimension) {
  expect_split(lay_out({4, 8}, 2), 0, 2);
  expect_split(lay_out({4, 8}, 16), 1, 4);
  expect_split(lay_out({4, 8}, 16, hybrid_transformer_fwd_in_bckwd), 1, 4);
  EXPECT_TRUE(warnings.lines().empty());
}

TEST_F(GroupLayoutTest, OfOneOrOfMoreThanTheMachineIsDataParallel) {
  expect_no_split(lay_out({4, 8}, 1), -1);
  expect_no_split(lay_out({4, 8}, 33), -1);
}

TEST_F(GroupLayoutTest, MattersToTransformersOnly) {
  expect_no_split(lay_out({4, 8}, 2, hybrid_data_model), -1);
}

TEST_F(GroupLayoutTest, WarnsWhenItIsCut) {
  expect_split(lay_out({2, 8}, 5), 1, 2);  // 5 / 2 = 2 in dimension 1: 4 NPUs
  ASSERT_EQ(warnings.lines().size(), 1u);
  EXPECT_EQ(warnings.lines()[0].rfind("w.txt:1:1: warning: ", 0), 0u) << warnings.lines()[0];
  EXPECT_NE(warnings.lines()[0].find("cut to 4"), std::string::npos) << warnings.lines()[0];
}

TEST_F(GroupLayoutTest, HasToFitInTheNativeDialect) {
  EXPECT_THROW(lay_out({2, 8}, 5, hybrid_transformer, native_dialect), InputError);
  EXPECT_THROW(lay_out({4, 8}, 33, hybrid_transformer, native_dialect), InputError);
  expect_split(lay_out({2, 8}, 4, hybrid_transformer, native_dialect), 1, 2);
}

TEST_F(GroupLayoutTest, RefusesToDivideUnevenly) {
  EXPECT_THROW(lay_out({4, 2}, 3), InputError);
  EXPECT_THROW(lay_out({4, 8}, 12), InputError);  // 3 of 8
}

}  // namespace
}  // namespace orrery::core::participation_test
