// Why computations and communication on known critical paths take their time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/critical_path/path_exchanges.hpp"
#include "report/critical_path/path_operators.hpp"
#include "report/timeline/programs/program_timeline.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"

namespace orrery::core::test::explained_path_test {
namespace {

struct Explained {
  explicit Explained(const std::string& text) {
    Warnings warnings;
    Experiment experiment = read_experiment(text, "x.yaml", {}, warnings, InputLog());
    spec = experiment.runs.at(0);
    spec.every_class = true;
    result = carry_out(spec, warnings);
    work = spec.workload->computed_work(spec, result);
    path = critical_path(result.program, result.recording);
    if (work) path = divided_passes(path, *work);
  }

  PathContext context() const {
    return {"run", result.program, result.machine.topology, layer_passes, result.recording.end()};
  }
  std::vector<PathExchange> exchanges() const {
    return path_exchanges(context(), path, result.machine, result.recording);
  }
  PathOperators operators() const { return path_operators(context(), path, *work); }

  RunSpec spec;
  RunResult result;
  std::unique_ptr<ComputedWork> work;
  std::vector<PathStep> path;
};

constexpr const char* two_layers = R"(
network:
  - { name: ring, topology: ring, size: 4, bandwidth: 1 GB/s, latency: 1 us }
system: { chunks: 1, endpoint-delay: 0 ns }
workload:
  layers:
    - { name: a, weight-gradient: { compute: 10 us, collective: all-reduce, size: 4000 B } }
    - { name: b, weight-gradient: { compute: 20 us, collective: all-reduce, size: 4000 B } }
)";

// A ring of four sends 1000 bytes six times, over two links of 1 GB/s at once.
TEST(ExplainedPath, ARingIsItsStepsAndBytes) {
  const Explained explained(two_layers);
  EXPECT_EQ(explained.work, nullptr);  // layers give their times
  const auto exchanges = explained.exchanges();
  ASSERT_FALSE(exchanges.empty());
  const PathExchange& last = exchanges.front();
  EXPECT_EQ(last.layer, "a");
  EXPECT_EQ(last.cost.algorithm, "ring");
  EXPECT_EQ(last.cost.chunks, 1u);
  EXPECT_EQ(last.cost.steps, 6);
  EXPECT_EQ(last.cost.sent_bytes, 6000);
  EXPECT_NEAR(last.cost.links->count(), 3e-6, 1e-12);
  EXPECT_NEAR(last.cost.latency->count(), 6e-6, 1e-12);
  EXPECT_EQ(last.dimension, "ring");
  EXPECT_NE(last.link, "");
  EXPECT_FALSE(last.late_rank);
}

// The late rank computes for 90 us where the others compute for 30.
TEST(ExplainedPath, ALateRankIsNamed) {
  const Explained explained(std::string(two_layers) + "stragglers: [ { ranks: [2], slowdown: 3 } ]\n");
  const auto exchanges = explained.exchanges();
  ASSERT_FALSE(exchanges.empty());
  ASSERT_TRUE(exchanges.front().late_rank);
  EXPECT_EQ(*exchanges.front().late_rank, RankId(2));
  EXPECT_EQ(exchanges.front().late, Time::from_ns(60'000));
  EXPECT_NE(exchanges.front().late_after.find("layer 'a'"), std::string::npos);
}

constexpr const char* network = R"(
network:
  - { name: ring, topology: ring, size: 8, bandwidth: 100 GB/s, latency: 1 us }
)";

// A row of the layer table is a convolution with what follows it; each is an operator.
TEST(ExplainedPath, NetworksHaveTheirOperators) {
  const Explained explained(std::string(network) +
                            "device: a100\nworkload: { model: resnet50, batch: 32 }\n");
  ASSERT_NE(explained.work, nullptr);
  const PathOperators operators = explained.operators();
  EXPECT_EQ(operators.unknown, Time());
  EXPECT_GT(operators.rows.size(), 100u);
  const auto convolution = std::ranges::find_if(operators.rows, [](const PathOperator& row) {
    return row.op->name == "convolution1" && row.op->pass == "forward";
  });
  ASSERT_NE(convolution, operators.rows.end());
  ASSERT_TRUE(convolution->explanation());
  EXPECT_TRUE(convolution->explanation()->tiles);
  EXPECT_EQ(convolution->times, 1);
  EXPECT_NEAR(convolution->time.ns() * 1e-9, convolution->explanation()->cost.seconds,
              0.01 * convolution->explanation()->cost.seconds);
}

TEST(ExplainedPath, PipelinesAndHostsHaveThemToo) {
  const Explained pipeline(
      std::string(network) +
      "device: a100\nworkload: { model: resnet50, batch: 32, pipeline: { micro-batches: 4 } }\n");
  EXPECT_EQ(pipeline.operators().unknown, Time());
  EXPECT_GT(pipeline.operators().rows.size(), 100u);
  const Explained host(
      std::string(network) +
      "device: a100\nworkload: { model: resnet50, batch: 32, host: { sample-time: 10 us } }\n");
  const PathOperators operators = host.operators();
  const auto found =
      std::ranges::find_if(operators.rows, [](const PathOperator& row) { return row.op->name == "host"; });
  ASSERT_NE(found, operators.rows.end());
  EXPECT_NEAR(found->time.us(), 8 * 32 * 10, 1);
}

// At a peak that the user gives, all time is ideal.
TEST(ExplainedPath, GivenPeaksSaySo) {
  const Explained explained(std::string(network) +
                            "workload: { model: resnet50, batch: 32, peak: 100 TFLOP/s }\n");
  const PathOperators operators = explained.operators();
  ASSERT_FALSE(operators.rows.empty());
  for (const PathOperator& row : operators.rows) EXPECT_EQ(row.explanation()->source, CostSource::given_peak);
  const auto shares = computing_shares(explained.context(), explained.path, operators);
  ASSERT_EQ(shares.size(), 1u);
  EXPECT_EQ(shares[0].name, "ideal device");
}

// What collectives take from computation is no loss of the operators.
TEST(ExplainedPath, ContentionHasAPartOfItsOwn) {
  const std::string text =
      "network: [ { topology: switch, size: 8, bandwidth: 20 GB/s, latency: 1 us } ]\n"
      "workload: { model: resnet50, batch: 32 }\n";
  const auto part = [](const Explained& explained, std::string_view name) {
    Time time;
    for (const PathShare& share :
         computing_shares(explained.context(), explained.path, explained.operators()))
      if (share.name == name) time = share.time;
    return time;
  };
  const Explained contended(text + "device: v100\n");
  const Explained free(text + "device: { base: v100, collective-processors: 0 }\n");
  EXPECT_EQ(part(free, "contention"), Time());
  EXPECT_GT(part(contended, "contention"), Time());
  EXPECT_NEAR(part(contended, "ideal device").ns(), part(free, "ideal device").ns(),
              1e-3 * part(free, "ideal device").ns());
}

// Passes are one node each, and their collectives are shown all the same.
TEST(ExplainedPath, PassesOfTransformersAreDivided) {
  const Explained explained(R"(
platform: dgx-a100
workload:
  model: gpt3-1.3b
  batch: { global: 32, micro: 1 }
  parallelism: { tensor: 8, pipeline: 2, data: 2 }
)");
  const PathOperators operators = explained.operators();
  EXPECT_EQ(operators.unknown, Time());
  const auto named = [&](std::string_view name) {
    return std::ranges::any_of(operators.rows, [&](const PathOperator& row) { return row.op->name == name; });
  };
  EXPECT_TRUE(named("qkv"));
  EXPECT_TRUE(named("optimizer"));
  bool tensor = false, message = false;
  for (const PathExchange& row : explained.exchanges()) {
    tensor |= row.group == "tensor" && row.cost.algorithm != "";
    message |= row.collective == "message" && row.cost.links.has_value();
  }
  EXPECT_TRUE(tensor);
  EXPECT_TRUE(message);
}

TEST(ExplainedPath, HasBarsThatTheTerminalCanDraw) {
  const Explained explained(two_layers);
  const std::vector<PathShare> shares = path_shares(explained.context(), explained.path);
  const std::string ascii = shares_text(shares, false), unicode = shares_text(shares, true);
  EXPECT_NE(ascii.find("  ####"), std::string::npos) << ascii;
  EXPECT_NE(unicode.find("  ████"), std::string::npos) << unicode;
  EXPECT_EQ(unicode.find('#'), std::string::npos) << unicode;
}

// Stage 0 computes all micro-batches at once, and sends them over one link, on which they meet; a single one
// meets none, and what comes back goes over other links.
TEST(ExplainedPath, MessagesSayWithHowManyTheyShareLinks) {
  const auto others = [](int micro_batches) {
    const Explained explained(fmt::format(R"(
network: [ {{ name: stages, topology: switch, size: 2, bandwidth: 10 GB/s, latency: 1 us }} ]
workload:
  pipeline: {{ schedule: gpipe, micro-batches: {} }}
  layers:
    - {{ name: a, forward: {{ compute: 1 us }}, weight-gradient: {{ compute: 1 us }}, output: 1 MiB }}
    - {{ name: b, forward: {{ compute: 1 us }}, weight-gradient: {{ compute: 1 us }} }}
)",
                                          micro_batches));
    std::optional<std::size_t> most;
    for (const PathExchange& row : explained.exchanges()) {
      EXPECT_EQ(row.collective, "message");
      EXPECT_EQ(reason_of(row).find("sharing links with") != std::string::npos, row.others.value_or(0) > 0);
      most = std::max(most, row.others);
    }
    return most;
  };
  EXPECT_EQ(others(1), 0u);
  EXPECT_EQ(others(8), 7u);
}

}  // namespace
}  // namespace orrery::core::test::explained_path_test
