// `orrery calibrate` finds constants again with which measurements were made, from files of each kind, and
// its files predict other measurements.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "base/files/input_log.hpp"
#include "base/random.hpp"
#include "study/calibration/measured/calibrated_platform.hpp"
#include "support/cases.hpp"
#include "support/csv_table.hpp"

namespace orrery::core::test::calibrate_test {
namespace {

// A model, ranks of tensor and of data parallelism, and the batch of each of the latter.
struct Layout {
  const char* model;
  int tensor, data, micro, batch;
};
constexpr std::array<Layout, 18> layouts{{
    {"gpt3-125m", 1, 8, 4, 8},
    {"gpt3-1.3b", 8, 2, 4, 8},
    {"llama3-8b", 8, 4, 1, 4},
    {"gpt3-125m", 2, 4, 8, 16},
    {"gpt3-1.3b", 1, 8, 1, 2},
    {"llama2-7b", 4, 8, 1, 4},
    {"gpt3-350m", 1, 32, 2, 2},
    {"gpt3-1.3b", 2, 8, 2, 8},
    {"llama2-7b", 8, 2, 2, 4},
    {"gpt3-350m", 8, 1, 8, 16},
    {"gpt3-2.7b", 2, 4, 1, 4},
    {"llama3-8b", 4, 8, 1, 2},
    {"gpt3-350m", 4, 2, 4, 8},
    {"gpt3-2.7b", 8, 8, 4, 4},
    {"llama2-7b", 2, 8, 1, 8},
    {"gpt3-125m", 4, 2, 2, 4},
    {"gpt3-2.7b", 4, 2, 2, 8},
    {"llama3-8b", 2, 16, 1, 4},
}};

std::string experiment() {
  std::string text = "name: steps\nplatform: { base: dgx-h100, stack: megatron-core }\nruns:\n";
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const Layout& of = layouts[i];
    text += fmt::format(
        "  - {{ name: run{}, workload: {{ model: {}, batch: {{ global: {}, micro: {} }}, parallelism: {{ "
        "tensor: {}, "
        "sequence: {}, data: {}, zero: {} }} }} }}\n",
        i, of.model, of.batch * of.data, of.micro, of.tensor, of.tensor > 1, of.data, of.data > 1 ? 1 : 0);
  }
  return text;
}

class Calibrate : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    write_file_atomically(path(name), text);
  }

  // Returns the seconds of all steps with this stack.
  std::vector<double> steps_with(const std::string& stack) const {
    const Outcome outcome = run_orrery({path("steps.yaml"), "--allow-oom", "--set", "platform.stack=" + stack,
                                        "--output=" + path("results"), "--reports=none"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    std::vector<double> seconds;
    for (const CsvRow& row : read_csv(path("results/steps/runs.csv")))
      seconds.push_back(row.number("step_us") * 1e-6);
    return seconds;
  }

  Outcome calibrate(const std::vector<std::string>& flags) const {
    std::vector<std::string> words{"calibrate"};
    words.insert(words.end(), flags.begin(), flags.end());
    return call_orrery(words);
  }

  const TemporaryFolder folder_;
};

double median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  return numbers[numbers.size() / 2];
}

// Returns whether a row is in the third that has models of all sizes.
bool is_in_third(std::size_t i) {
  return (i / 3 + i) % 3 == 0;
}

// Returns the median error of the rows that are not in that third.
double error_of(const std::vector<double>& simulated, const std::vector<double>& measured) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < simulated.size(); ++i)
    if (!is_in_third(i)) errors.push_back(std::abs(std::log(simulated[i] / measured[i])));
  return median(errors);
}

constexpr const char* true_stack =
    "{ base: megatron-core, kernel-slowdown: 1.3, elementwise-slowdown: 7, exchange-efficiency: 0.7 }";

// The other two thirds of the rows are predicted nearly as well as by constants that were fitted to them,
// too.
TEST_F(Calibrate, AThirdOfTheStepsPredictsTheOthersSlow) {
  write("steps.yaml", experiment());
  std::vector<double> measured = steps_with(true_stack);
  ASSERT_EQ(measured.size(), layouts.size());
  Random random(1);
  for (double& seconds : measured) seconds *= 1 + random.between(-30, 30) * 1e-3;
  std::string all = "experiment,run,step_s\n", third = all;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const std::string line = fmt::format("steps.yaml,run{},{:.6f}\n", i, measured[i]);
    all += line;
    if (is_in_third(i)) third += line;
  }
  write("all.csv", all);
  write("third.csv", third);
  for (const std::string name : {"all", "third"}) {
    const Outcome outcome = calibrate({"--from", path(name + ".csv"), "--output=" + path(name + ".yaml")});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_NE(outcome.output.find("stack.kernel-slowdown"), std::string::npos) << outcome.output;
  }
  const double before = error_of(steps_with("megatron-core"), measured),
               by_all = error_of(steps_with(path("all.yaml")), measured),
               by_third = error_of(steps_with(path("third.yaml")), measured);
  EXPECT_LT(by_all, before / 3);
  // Three constants of 6 rows in place of 18 let expect sqrt((1 + 3 / 6) / (1 - 3 / 18)) = 1.34 times the
  // error.
  // Six rows scatter besides.
  EXPECT_LT(by_third, 2 * by_all);
}

// With one step, the stack's other operators are slower by the same factor.
TEST_F(Calibrate, OneStepMovesOneFactor) {
  write("steps.yaml", experiment());
  const double now = steps_with("megatron-core")[2];
  write("one.csv", fmt::format("experiment,run,step_s\nsteps.yaml,run2,{:.6f}\n", 1.2 * now));
  const Outcome outcome = calibrate({"--from", path("one.csv"), "-o", path("one.yaml")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.output.find("stays: one row moves"), std::string::npos) << outcome.output;
  EXPECT_NEAR(steps_with(path("one.yaml"))[2] / now, 1.2, 0.001);
}

// Where nobody has named the software, it is the usual one that measured steps change.
TEST_F(Calibrate, SoftwareThatNobodyNamesIsChanged) {
  const std::string workload =
      "workload: { model: llama3-8b, batch: { global: 64, micro: 1 }, parallelism: { tensor: 8, data: 4 } "
      "}\n";
  for (const std::string platform : {"dgx-h100", "{ device: h100, inside: nvlink4, between: ib-ndr }",
                                     "{ base: dgx-h100, stack: { bucket: 100 MB } }"}) {
    write("one.yaml", "name: one\nplatform: " + platform + "\n" + workload);
    write("one.csv", "experiment,step_s\none.yaml,4\n");
    const Outcome outcome = calibrate({"--from", path("one.csv"), "-o", path("mine.yaml")});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    const Outcome after = run_orrery({path("one.yaml"), "--set", "platform.stack=" + path("mine.yaml"),
                                      "--json", "--output=" + path("results")});
    ASSERT_EQ(after.exit_code, 0) << after.error;
    EXPECT_NEAR(nlohmann::json::parse(after.output)["runs"][0]["total_us"].get<double>(), 4e6, 4e3)
        << platform;
  }
}

constexpr const char* true_platform =
    "base: dgx-a100\ndevice: { roofline: { launch: 9 us, matrix-efficiency: 0.6, memory-efficiency: 0.7 } }\n"
    "inside: { efficiency: 0.6, launch: 60 us, step: 30 us }\nbetween: { efficiency: 0.5, short-step: 60 us "
    "}\n";

// Products and collectives of such a machine, without scatter, give its constants back.
TEST_F(Calibrate, ProductsAndCollectivesGiveTheMachineBack) {
  write("true.yaml", true_platform);
  const InputLog load(InputLog::Holds::paths);
  const CalibratedPlatform machine(path("true.yaml"), "platform", load);
  const Platform& truth = machine.as_it_is();
  std::string products = "m,n,k,datatype,time_us\n";
  for (const std::uint64_t m : {16, 256, 2048, 8192})
    for (const std::uint64_t k : {1024, 4096})
      products +=
          fmt::format("{},4096,{},bf16,{:.6f}\n", m, k,
                      truth.device.model->cost({"", Gemm{m, 4096, k, 1}, Datatype::bf16}).seconds * 1e6);
  write("gemm.csv", products);
  for (const int nodes : {1, 4}) {
    std::string text;
    for (int rank = 0; rank < 8 * nodes; ++rank)
      text += fmt::format("#  Rank {:2} Group  0 Pid 1 on node{} device {} [0x07] A100\n", rank, rank / 8,
                          rank % 8);
    text += "#  size count type redop root time algbw busbw #wrong\n";
    for (double bytes = 65536; bytes < 9e9; bytes *= 4) {
      const double us = truth.library->seconds(CollectiveKind::all_reduce, bytes, {8 * nodes, 8}) * 1e6;
      const double bandwidth = bytes / us * 1e-3;
      text += fmt::format("{:.0f} 1 float sum -1 {:.6f} {:.4f} {:.4f} 0\n", bytes, us, bandwidth,
                          bandwidth * 2 * (8 * nodes - 1) / (8 * nodes));
    }
    write(fmt::format("nccl{}.txt", nodes), text);
  }
  const Outcome inside = calibrate({"--from", path("gemm.csv"), path("nccl1.txt"), "--platform=dgx-a100",
                                    "--output=" + path("inside.yaml")});
  ASSERT_EQ(inside.exit_code, 0) << inside.error;
  const CalibratedPlatform found(path("inside.yaml"), "platform", load);
  const RooflineConstants &roofline = found.as_it_is().device.facts.roofline,
                          &of_truth = truth.device.facts.roofline;
  EXPECT_NEAR(roofline.launch_seconds / of_truth.launch_seconds, 1, 0.01);
  EXPECT_NEAR(roofline.matrix_efficiency, 0.6, 0.01);
  EXPECT_NEAR(roofline.memory_efficiency, 0.7, 0.01);
  const InsideLink& links = found.as_it_is().library->numbers_of_links().inside;
  EXPECT_NEAR(links.efficiency, 0.6, 0.01);
  EXPECT_NEAR(links.launch_seconds.value_or(0) * 1e6, 60, 1);
  const Outcome between = calibrate(
      {"--from", path("nccl4.txt"), "--platform=" + path("inside.yaml"), "--output=" + path("between.yaml")});
  ASSERT_EQ(between.exit_code, 0) << between.error;
  const CalibratedPlatform both(path("between.yaml"), "platform", load);
  EXPECT_NEAR(both.as_it_is().library->numbers_of_links().between.efficiency, 0.5, 0.02) << between.output;
  EXPECT_NEAR(both.as_it_is().library->numbers_of_links().inside.efficiency, 0.6, 0.01) << "by its base";
}

TEST_F(Calibrate, JsonHasWhatWasFoundAndTheFile) {
  write("gemm.csv", "m,n,k,datatype,time_us\n8192,8192,8192,bf16,2500\n4096,4096,4096,bf16,330\n");
  const Outcome outcome = calibrate(
      {"--from", path("gemm.csv"), "--platform=dgx-a100", "--output=" + path("mine.yaml"), "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const auto json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json.at("constants").at(0).at("constant"), "device.roofline.matrix-efficiency");
  EXPECT_FALSE(json.at("constants").at(1).at("why_not").get<std::string>().empty());
  EXPECT_EQ(json.at("errors").at(0).at("rows"), 2);
  EXPECT_EQ(json.at("rows").at(1).at("row"), "1 x 4096 x 4096 x 4096 bf16");
  EXPECT_EQ(json.at("yaml"), read_file_of_any_kind(path("mine.yaml")));
  EXPECT_EQ(json.at("files").at(0), path("mine.yaml"));
  const Outcome both = calibrate({"--from", path("gemm.csv"), "--platform=dgx-a100", "--output=-", "--json"});
  EXPECT_EQ(both.exit_code, 2) << "both would go to standard output";
}

// A timeline of a simulation with slower kernels stands in for a profile.
TEST_F(Calibrate, AProfileTellsHowMuchSlowerKernelsAre) {
  write("one.yaml",
        "name: one\nplatform: { base: dgx-h100, stack: megatron-core }\nworkload: { model: gpt3-1.3b, batch: "
        "{ global: "
        "32 }, parallelism: { tensor: 8, data: 2 } }\n");
  const Outcome profiled = run_orrery({path("one.yaml"), "--set", std::string("platform.stack=") + true_stack,
                                       "--timeline=kineto", "--output=" + path("profile")});
  ASSERT_EQ(profiled.exit_code, 0) << profiled.error;
  const Outcome outcome = calibrate({"--from", path("profile/one/one/timeline.kineto"),
                                     "--experiment=" + path("one.yaml"), "--output=" + path("mine.yaml")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const InputLog load(InputLog::Holds::paths);
  const SoftwareStack stack = read_stack_file(load.read(path("mine.yaml")), path("mine.yaml"), load);
  EXPECT_NEAR(stack.kernel_slowdown, 1.3, 0.02);
  EXPECT_NEAR(stack.elementwise_slowdown, 7, 0.1);
  EXPECT_EQ(stack.exchange_efficiency, 1) << "a profile of kernels does not tell it";
}

}  // namespace
}  // namespace orrery::core::test::calibrate_test
