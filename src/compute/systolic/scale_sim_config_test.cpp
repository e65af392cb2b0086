#include "compute/systolic/scale_sim_config.hpp"

#include <gtest/gtest.h>

#include "compute/systolic/systolic_cost.hpp"

namespace orrery::core::scale_sim_config_test {
namespace {

const std::string complete = R"([general]
run_name = example
[architecture_presets]
ArrayHeight : 32
ArrayWidth=16
; a comment
IfmapSramSzkB:    64
FilterSramSzkB:   48
OfmapSramSzkB:    24
IfmapOffset:    0
Dataflow : os
Bandwidth : 10
MemoryBanks: 1
[run_presets]
InterfaceBandwidth: CALC
)";

std::string without(const std::string& line) {
  std::string text = complete;
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  return text.erase(at, text.find('\n', at) - at);
}

std::string error_of(const std::string& text) {
  Warnings warnings;
  try {
    read_scale_sim_config(text, "a.cfg", warnings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ScaleSimConfig, IsRead) {
  Warnings warnings;
  const SystolicArray array = read_scale_sim_config(complete, "a.cfg", warnings);
  EXPECT_EQ(array.rows, 32u);
  EXPECT_EQ(array.columns, 16u);
  EXPECT_EQ(array.input_sram, 64u * 1024);
  EXPECT_EQ(array.filter_sram, 48u * 1024);
  EXPECT_EQ(array.output_sram, 24u * 1024);
  EXPECT_EQ(array.dataflow, Dataflow::output_stationary);
  EXPECT_EQ(array.bandwidth, std::nullopt);
  EXPECT_TRUE(warnings.lines().empty());
}

TEST(ScaleSimConfig, Version1AndAnyCase) {
  Warnings warnings;
  const SystolicArray array = read_scale_sim_config(
      "[ARCHITECTURE_PRESETS]\r\narrayheight=1\r\nARRAYWIDTH=2\r\nIfmapSramSz=3\r\nFilterSramSz=4\r\n"
      "OfmapSramSz=5\r\nDataflow=WS\r\n[network_presets]\r\nTopologyCsvLoc=\"x.csv\"\r\n",
      "a.cfg", warnings);
  EXPECT_EQ(array.columns, 2u);
  EXPECT_EQ(array.output_sram, 5u * 1024);
  EXPECT_EQ(array.dataflow, Dataflow::weight_stationary);
  EXPECT_TRUE(warnings.lines().empty());
}

TEST(ScaleSimConfig, UserBandwidthBounds) {
  Warnings warnings;
  const std::string text = without("InterfaceBandwidth") + "InterfaceBandwidth: USER\n";
  EXPECT_EQ(read_scale_sim_config(text, "a.cfg", warnings).bandwidth, 10u);
  ASSERT_EQ(warnings.lines().size(), 1u);
}

// The cycles are SCALE-Sim 3's own.
TEST(ScaleSimConfig, RowsOfZerosAreLeftOut) {
  const auto config = [](const std::string& sparsity) {
    std::string text = complete;
    text.replace(text.find("ArrayWidth=16"), 13, "ArrayWidth=32");
    text.replace(text.find("Dataflow : os"), 13, "Dataflow : ws");
    return text + "[sparsity]\n" + sparsity;
  };
  const auto cycles = [&](const std::string& sparsity, const std::string& layer, std::size_t warned) {
    Warnings warnings;
    const std::string text = config(sparsity);
    TopologyLayer read = read_scale_sim_topology("h\n" + layer, "t.csv", warnings)[0];
    leave_out_zeros(read, read_scale_sim_sparsity(text, "a.cfg"), warnings);
    EXPECT_EQ(warnings.lines().size(), warned) << sparsity << layer;
    return systolic_cost(read_scale_sim_config(text, "a.cfg", warnings), read.operation, {}).cycles;
  };
  const std::string on = "SparsitySupport : true\nSparseRep : ellpack_block\n";
  EXPECT_EQ(cycles(on, "g,128,128,256,1:4,\n", 0), 1775u);
  EXPECT_EQ(cycles(on, "g,128,128,256,1:1,\n", 0), 7103u);
  EXPECT_EQ(cycles(on, "g,128,128,250,2:4,\n", 0), 3551u);
  EXPECT_EQ(cycles("SparsitySupport : false\n", "g,128,128,256,1:4,\n", 1), 7103u);
  EXPECT_EQ(cycles(on + "OptimizedMapping : true\nBlockSize : 4\n", "g,128,128,256,1:4,\n", 1), 3551u);
  EXPECT_THROW(read_scale_sim_sparsity(complete + "[sparsity]\n" + on, "a.cfg"), InputError);  // os
}

TEST(ScaleSimConfig, WhatIsUnknownIsIgnoredWithAWarning) {
  Warnings warnings;
  read_scale_sim_config(complete + "ArayWidth: 3\n[layout]\nOnChipMemoryBanks: 2\n", "a.cfg", warnings);
  EXPECT_EQ(warnings.lines(),
            (std::vector<std::string>{
                "a.cfg:17:1: warning: the section `layout` is ignored",
                "a.cfg:16:1: warning: unknown key `ArayWidth` is ignored, did you mean `ArrayWidth`?"}));
}

TEST(ScaleSimConfig, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(error_of(without("ArrayHeight")), "a.cfg: error: the configuration needs the key `ArrayHeight`");
  EXPECT_EQ(error_of(without("ArrayHeight") + "ArrayHeight: 0\n"),
            "a.cfg:16:14: error: `ArrayHeight` has to be a whole number from 1 to 1048576, not `0`");
  EXPECT_EQ(error_of(without("Dataflow") + " Dataflow: rs\n"),
            "a.cfg:16:12: error: `Dataflow` has to be `os`, `ws` or `is`, not `rs`");
  EXPECT_EQ(error_of(without("InterfaceBandwidth") + "InterfaceBandwidth: MAX\n"),
            "a.cfg:16:21: error: `InterfaceBandwidth` has to be `calc` or `user`, not `max`");
  EXPECT_EQ(error_of(complete + "arraywidth: 3\n"),
            "a.cfg:16:1: error: `arraywidth` stands there twice, remove one");
  EXPECT_EQ(error_of("[general]\nhello\n"),
            "a.cfg:2:1: error: has to be `[section]` or `key = value`, not `hello`");
  EXPECT_EQ(error_of("[general\n"), "a.cfg:1:1: error: the section `[general` lacks its `]`");
}

}  // namespace
}  // namespace orrery::core::scale_sim_config_test
