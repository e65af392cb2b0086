// orrery compute systolic: flags, files, text and JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::compute_systolic_test {
namespace {

nlohmann::json compute(std::vector<std::string> words) {
  words.insert(words.begin(), {"compute", "systolic", "--json"});
  const Outcome outcome = call_orrery(words);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return nlohmann::json::parse(outcome.output);
}

TEST(ComputeSystolic, AProductFromFlags) {
  const auto json = compute({"--m=1024", "--n=512", "--k=256", "--dataflow=os", "--rows=32", "--cols=64",
                             "--frequency=500 MHz", "--ifmap-sram=64 KiB"});
  const double cycles = 32 * 8 * (256 + 32 + 64 - 2) - 1;
  EXPECT_EQ(json["operators"][0]["total_cycles"], cycles);
  EXPECT_EQ(json["operators"][0]["time_us"], cycles / 500);
  EXPECT_EQ(json["operators"][0]["dram_ifmap_reads"], 8 * 1024 * 256);
  EXPECT_EQ(json["operators"][0]["dram_filter_reads"], 512 * 256);
  EXPECT_EQ(json["array"]["dataflow"], "os");
  EXPECT_EQ(json["array"]["bandwidth_words_per_cycle"], nullptr);
}

TEST(ComputeSystolic, FlagsChangeTheConfiguration) {
  const TemporaryFolder scratch;
  const std::string config = (scratch.path() / "a.cfg").string();
  write_file_atomically(config,
                        "[architecture_presets]\nArrayHeight: 16\nArrayWidth: 8\nIfmapSramSzkB: 1\n"
                        "FilterSramSzkB: 2\nOfmapSramSzkB: 3\nDataflow: is\n");
  const auto json = compute({"--m=1", "--n=1", "--k=1", "--config=" + config, "--cols=4", "--bandwidth=7"});
  EXPECT_EQ(json["array"]["rows"], 16);
  EXPECT_EQ(json["array"]["columns"], 4);
  EXPECT_EQ(json["array"]["dataflow"], "is");
  EXPECT_EQ(json["array"]["filter_sram_words"], 2048);
  EXPECT_EQ(json["array"]["bandwidth_words_per_cycle"], 7);
  EXPECT_EQ(json["operators"][0]["total_cycles"], 1 + 2 * 16 + 4 - 2 - 1);
}

TEST(ComputeSystolic, LayersOfATopologyAddUp) {
  const TemporaryFolder scratch;
  const std::string file = (scratch.path() / "net.csv").string();
  write_file_atomically(file, "Layer, ...\nconv1, 14, 14, 3, 3, 16, 32, 1,\nfc, 10, 1000, 64,\n");
  const auto json = compute({"--topology=" + file});
  ASSERT_EQ(json["operators"].size(), 2u);
  EXPECT_EQ(json["operators"][0]["m"], 144);
  EXPECT_DOUBLE_EQ(json["total_time_us"].get<double>(), json["operators"][0]["time_us"].get<double>() +
                                                            json["operators"][1]["time_us"].get<double>());
  const Outcome text = call_orrery({"compute", "systolic", "--topology=" + file});
  EXPECT_NE(text.output.find("\nconv1 "), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("\ntotal "), std::string::npos) << text.output;
}

TEST(ComputeSystolic, TextOfASingleOperator) {
  const Outcome text =
      call_orrery({"compute", "systolic", "--m=64", "--n=64", "--k=64", "--rows=32", "--cols=32"});
  EXPECT_EQ(text.output,
            "32 x 32 units, ws at 1000 MHz, unlimited bandwidth\n"
            "buffers of 6144 KiB for inputs, 6144 KiB for weights and 2048 KiB for outputs\n"
            "GEMM: M 64, N 64, K 64\n"
            "  cycles                  631\n"
            "  time               631.0 ns\n"
            "  use                 40.57 % overall, 100.00 % mapping, 33.86 % compute\n"
            "  SRAM                   8192 inputs, 4096 weights read, 8192 outputs written\n"
            "  DRAM                   4096 inputs, 4096 weights read, 8192 outputs written\n");
}

}  // namespace
}  // namespace orrery::core::test::compute_systolic_test
