// Random training steps, written as traces and read back, take as long as before.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "study/run/run.hpp"
#include "study/workloads/traces/program_traces_workload.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"
#include "support/cases.hpp"
#include "support/random_training.hpp"
#include "workload/chakra/conversion/program_traces.hpp"
#include "workload/chakra/files/trace_writer.hpp"
#include "workload/training/step/training_program.hpp"

namespace orrery::core::test::converted_training_test {
namespace {

// The inner dimension has the ranks that share layers.
RunSpec spec_of(const TrainingSetup& setup, std::uint64_t seed) {
  RunSpec spec;
  spec.name = "training";
  spec.dialect = native_dialect;
  spec.workload = std::make_shared<const TransformerWorkload>(setup);
  spec.allow_out_of_memory = true;
  spec.network.model = seed % 2 == 0 ? &analytical_model : &fluid_model;
  const auto gpus = static_cast<int>(setup.gpus()), inner = static_cast<int>(setup.plan.tensor);
  Topology& topology = spec.topology.edit();
  for (const int size : {inner, gpus / inner}) {
    Dimension& dimension = topology.dimensions.emplace_back();
    dimension.name = fmt::format("dim{}", topology.dimensions.size());
    dimension.block = Block::switched;
    dimension.size = size;
    dimension.links = 1;
    dimension.link_bandwidth = Bandwidth::from_gb_per_s(size == inner ? 300 : 25);
    dimension.link_latency_ns = 700;
  }
  for (auto& choices : spec.system.edit().algorithms) choices.assign(2, AlgorithmChoice{});
  return spec;
}

Summary summary_of(const RunSpec& spec) {
  Warnings warnings;
  const RunResult result = carry_out(spec, warnings);
  return spec.workload->summary(spec, result);
}

class ConvertedTraining : public testing::Test {
 protected:
  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }

  void expect_as_long_as_before(int steps) const;

  // Writes the traces of a run, and returns their files.
  std::vector<std::string> write(RunSpec spec) const {
    spec.every_collective = true;
    Warnings warnings;
    const RunResult run = prepare_run(spec, warnings);
    const auto ranks = static_cast<std::uint32_t>(spec.topology->npus());
    const chakra::RecordedProgram recorded{run.program, ranks, 1};
    const chakra::ProgramTraces traces(recorded);
    std::vector<std::string> files;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      files.push_back(at(fmt::format("t.{}.et", rank)));
      write_file_atomically(files.back(), chakra::write_trace(traces.of_rank(RankId(rank))));
    }
    nlohmann::json groups = nlohmann::json::object();
    for (const auto& [number, members] : traces.groups()) groups[std::to_string(number)] = members;
    write_file_atomically(at("groups.json"), groups.dump());
    return files;
  }

 private:
  TemporaryFolder folder_;
};

bool is_small(const TrainingSetup& setup) {
  return setup.gpus() > 1 && setup.gpus() <= 32 && setup.gpus() > setup.plan.tensor &&
         setup.plan.tensor > 1 && operations_of_step(setup, PassDetail::blocks) < 4000;
}

void ConvertedTraining::expect_as_long_as_before(int steps) const {
  int compared = 0, with_zero = 0, with_experts = 0, with_context = 0, with_pipeline = 0;
  for (std::uint64_t seed = 1; compared < steps && seed < 3000; ++seed) {
    const TrainingSetup setup = random_training(seed);
    if (!is_small(setup)) continue;
    SCOPED_TRACE(describe(setup));
    const RunSpec spec = spec_of(setup, seed);
    Summary before;
    try {
      before = summary_of(spec);
    } catch (const InputError&) {
      continue;  // groups that do not fit these dimensions
    }
    RunSpec converted = spec;
    converted.workload =
        std::make_shared<const ProgramTracesWorkload>(chakra::read_program_traces(write(spec)));
    const Summary after = summary_of(converted);
    ASSERT_EQ(after.total.ps(), before.total.ps()) << seed;
    EXPECT_EQ(after.messages, before.messages);
    EXPECT_EQ(after.time.sum().ps(), after.total.ps());
    ++compared;
    with_zero += setup.plan.zero > 0 ? 1 : 0;
    with_experts += setup.plan.expert > 1 ? 1 : 0;
    with_context += setup.plan.context > 1 ? 1 : 0;
    with_pipeline += setup.plan.pipeline > 1 ? 1 : 0;
  }
  EXPECT_EQ(compared, steps);
  for (const int some : {with_zero, with_experts, with_context, with_pipeline}) EXPECT_GT(some, 0);
}

TEST_F(ConvertedTraining, TakesAsLongAsBefore) {
  expect_as_long_as_before(8);
}

TEST_F(ConvertedTraining, OfManyKindsTakesAsLongAsBeforeSlow) {
  expect_as_long_as_before(50);
}

// The rules of ASTRA-sim 2 take one communication after the other. Nobody waits for ever.
TEST_F(ConvertedTraining, EndsByTheRulesOfAstraSim2) {
  write_file_atomically(
      at("system.json"),
      R"({"all-reduce-implementation": ["ring", "ring"], "all-gather-implementation": ["ring", "ring"],
                            "reduce-scatter-implementation": ["ring", "ring"],
                            "all-to-all-implementation": ["ring", "ring"]})");
  int ended = 0;
  for (std::uint64_t seed = 1; ended < 8 && seed < 3000; ++seed) {
    const TrainingSetup setup = random_training(seed);
    if (!is_small(setup)) continue;
    const RunSpec spec = spec_of(setup, seed);
    try {
      write(spec);
    } catch (const InputError&) {
      continue;
    }
    SCOPED_TRACE(describe(setup));
    const std::uint64_t inner = setup.plan.tensor;
    write_file_atomically(
        at("network.yml"),
        fmt::format("topology: [Switch, Switch]\nnpus_count: [{}, {}]\nbandwidth: [300, 25]\n"
                    "latency: [700, 700]\n",
                    inner, setup.gpus() / inner));
    const Outcome outcome = call_orrery(
        {"run", "--workload-configuration=" + at("t"), "--system-configuration=" + at("system.json"),
         "--network-configuration=" + at("network.yml"), "--comm-group-configuration=" + at("groups.json"),
         "--real-collectives"});
    ASSERT_EQ(outcome.exit_code, 0) << seed << ": " << outcome.error;
    ++ended;
  }
  EXPECT_EQ(ended, 8);
}

}  // namespace
}  // namespace orrery::core::test::converted_training_test
