#include "compute/systolic/systolic_cost.hpp"

#include <gtest/gtest.h>

namespace orrery::core::systolic_cost_test {
namespace {

SystolicCost cost_of(const SystolicArray& array, const Gemm& gemm) {
  return systolic_cost(array, systolic_operation(gemm, {}), {"gemm"});
}

SystolicArray grid(std::uint64_t rows, std::uint64_t columns, Dataflow dataflow) {
  SystolicArray array;
  array.rows = rows;
  array.columns = columns;
  array.dataflow = dataflow;
  return array;
}

TEST(SystolicCost, OneUnitServesOneProductInCycle0) {
  const SystolicCost cost = cost_of(grid(1, 1, Dataflow::output_stationary), {1, 1, 1, 1});
  EXPECT_EQ(cost.cycles, 0u);
  EXPECT_EQ(cost.overall_utilization, 0);
}

TEST(SystolicCost, ProductsBeyond64BitsAreCounted) {
  // 2^66 of them.
  const std::uint64_t edge = std::uint64_t{1} << 22;
  const SystolicCost cost = cost_of(grid(1024, 1024, Dataflow::weight_stationary), {edge, edge, edge, 1});
  EXPECT_EQ(cost.cycles, (std::uint64_t{1} << 24) * (edge + 3 * 1024 - 2) - 1);
  EXPECT_NEAR(cost.overall_utilization, static_cast<double>(edge) / static_cast<double>(edge + 3 * 1024 - 2),
              1e-12);
  EXPECT_EQ(cost.mapping_efficiency, 1);
}

TEST(SystolicCost, CountsBeyond64BitsAreErrors) {
  const std::uint64_t edge = std::uint64_t{1} << 30;
  EXPECT_THROW(cost_of(grid(1, 1, Dataflow::output_stationary), {edge, edge, edge, 1}), InputError);
  EXPECT_THROW(cost_of(grid(1, 1, Dataflow::weight_stationary), {2, 1, 1, std::uint64_t(-1)}), InputError);
}

TEST(SystolicCost, RepeatsFollowOneAnother) {
  const SystolicArray array = grid(32, 32, Dataflow::weight_stationary);
  const SystolicCost one = cost_of(array, {100, 50, 70, 1}), five = cost_of(array, {100, 50, 70, 5});
  EXPECT_EQ(five.cycles, 5 * one.cycles);
  EXPECT_EQ(five.dram.input_reads, 5 * one.dram.input_reads);
  EXPECT_EQ(five.sram.output_writes, 5 * one.sram.output_writes);
  EXPECT_DOUBLE_EQ(five.overall_utilization, one.overall_utilization);
}

TEST(SystolicCost, ABandwidthIsALowerBound) {
  SystolicArray array = grid(32, 32, Dataflow::output_stationary);
  array.input_sram = array.filter_sram = array.output_sram = 1024;
  const Gemm gemm{512, 512, 512, 1};
  const SystolicCost free = cost_of(array, gemm);
  array.bandwidth = 1;
  const SystolicCost bound = cost_of(array, gemm);
  EXPECT_EQ(bound.cycles, std::max(bound.dram.input_reads, bound.dram.filter_reads) - 1024);
  EXPECT_EQ(bound.stall_cycles, bound.cycles - free.cycles);
  array.bandwidth = 1'000'000;
  EXPECT_EQ(cost_of(array, gemm).cycles, free.cycles);
  EXPECT_EQ(cost_of(array, gemm).stall_cycles, 0u);
}

// The first layer of AlexNet on 32 x 32 units with buffers of 64 KiB, of which SCALE-Sim's own test reads the
// inputs 1,805,023 times: a fold touches more words of the windows than half of a buffer holds.
TEST(SystolicCost, FoldsOfAConvolutionFetchTheirWindowsAgain) {
  SystolicArray array = grid(32, 32, Dataflow::weight_stationary);
  array.input_sram = array.filter_sram = array.output_sram = 64 * 1024;
  Convolution c;
  c.height = c.width = 224;
  c.filter_height = c.filter_width = 11;
  c.channels = 3;
  c.filters = 96;
  c.stride_height = c.stride_width = 4;
  const SystolicCost cost = systolic_cost(array, systolic_operation(c, LastWindow::hangs_over, {}), {});
  EXPECT_EQ(cost.cycles, 112'283U);
  EXPECT_NEAR(static_cast<double>(cost.dram.input_reads), 1'805'023, 0.01 * 1'805'023);
  array.input_sram = 4 * 1024 * 1024;  // holds the image
  EXPECT_EQ(systolic_cost(array, systolic_operation(c, LastWindow::hangs_over, {}), {}).dram.input_reads,
            224U * 224U * 3U);
}

TEST(SystolicCost, SeveralArraysSplitTheLargerOfMAndN) {
  SystolicArray array = grid(32, 32, Dataflow::output_stationary);
  const SystolicCost third = cost_of(array, {34, 20, 64, 1}), rest = cost_of(array, {33, 20, 64, 1});
  array.arrays = 3;
  const SystolicCost shared = cost_of(array, {100, 20, 64, 1});
  EXPECT_EQ(shared.cycles, third.cycles);
  EXPECT_EQ(shared.dram.filter_reads, third.dram.filter_reads + 2 * rest.dram.filter_reads);
  EXPECT_EQ(shared.dram.output_writes, 100u * 20);
  EXPECT_EQ(cost_of(array, {20, 100, 64, 1}).dram.output_writes, 100u * 20);
  array.arrays = 500;  // more than there are rows
  EXPECT_EQ(cost_of(array, {100, 20, 64, 1}).cycles,
            cost_of(grid(32, 32, array.dataflow), {1, 20, 64, 1}).cycles);
}

TEST(SystolicCost, ImpossibleArraysAreRefused) {
  for (const auto& spoil :
       {+[](SystolicArray& array) { array.rows = 0; }, +[](SystolicArray& array) { array.arrays = 0; },
        +[](SystolicArray& array) { array.bandwidth = 0; },
        +[](SystolicArray& array) { array.filter_sram = 99; }}) {
    SystolicArray array;
    spoil(array);
    EXPECT_THROW(cost_of(array, {1, 1, 1, 1}), InputError);
  }
}

}  // namespace
}  // namespace orrery::core::systolic_cost_test
