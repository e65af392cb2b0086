// Execution traces as the workload of an experiment (docs/inputs/traces.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "compute/device_file.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "support/cases.hpp"
#include "support/csv_table.hpp"
#include "support/source_dir.hpp"
#include "support/trace_experiments.hpp"
#include "support/trace_text.hpp"

namespace orrery::core::test::trace_workload_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Time us(std::int64_t number) {
  return Time::from_ns(number * 1000);
}

constexpr const char* two_switches = R"(
network:
  - { name: inner, topology: switch, size: 4, bandwidth: 100 GB/s, latency: 500 ns }
  - { name: outer, topology: switch, size: 2, bandwidth: 10 GB/s, latency: 1 us }
)";

class TraceWorkloads : public testing::Test {
 protected:
  void SetUp() override { fs::current_path(scratch_.path()); }
  void TearDown() override { fs::current_path(before_); }

  static void write_trace(const std::string& name, const std::string& text) {
    write_file_atomically(name, trace_of_text(text));
  }
  static RunSpec spec_of(const std::string& text) {
    Warnings warnings;
    return read_experiment(text, "experiment.yaml", {}, warnings, InputLog()).runs.at(0);
  }
  static RunResult result_of(const RunSpec& spec, bool fold = true) {
    Warnings warnings;
    return carry_out(spec, warnings, fold);
  }
  static Summary summary_of(const std::string& text) {
    const RunSpec spec = spec_of(text);
    return spec.workload->summary(spec, result_of(spec));
  }
  static LayerSummary layer_of(const Summary& summary, const std::string& name) {
    const auto found = std::ranges::find(summary.layers, name, &LayerSummary::name);
    return found == summary.layers.end() ? LayerSummary{} : *found;
  }

 private:
  TemporaryFolder scratch_;
  fs::path before_ = fs::current_path();
};

// Computing 5 us, an all-reduce beside 10 us of computing, and 3 us that wait for both.
constexpr const char* overlapping =
    "compute 1 name=first duration=5\n"
    "collective 2 name=sum after=1 comm_type=0 comm_size=1048576\n"
    "compute 3 name=beside after=1 duration=10\n"
    "compute 4 name=last after=2,3 duration=3\n";

TEST_F(TraceWorkloads, ATraceForAllNpusIsWhatOneOfThemDoes) {
  write_trace("step.et", overlapping);
  const Summary summary = summary_of(std::string(two_switches) + "workload: { traces: step }\n");
  EXPECT_EQ(summary.npus, 8);
  EXPECT_TRUE(summary.parts.empty());
  EXPECT_EQ(summary.time.compute, us(18));
  const LayerSummary sum = layer_of(summary, "sum");
  EXPECT_EQ(sum.exposed, sum.communication - us(10));
  EXPECT_EQ(summary.time.exposed, sum.exposed);
  EXPECT_EQ(summary.total, summary.time.sum());
  EXPECT_EQ(layer_of(summary, "beside").compute, us(10));
}

TEST_F(TraceWorkloads, AFolderStandsForTheTracesInIt) {
  fs::create_directory("traces");
  for (int npu = 0; npu < 8; ++npu) write_trace(fmt::format("traces/step.{}.et", npu), overlapping);
  write_trace("step.et", overlapping);
  const std::string network = two_switches;
  EXPECT_EQ(summary_of(network + "workload: { traces: traces }\n").total,
            summary_of(network + "workload: { traces: step.et }\n").total);
}

// Simulating every message of every rank takes the same time as one rank that stands for all, by either
// dialect's rules.
TEST_F(TraceWorkloads, FoldedRunsAreExact) {
  for (const char* name : {"c01_ring8_allreduce_4chunks", "c09_dims2_allreduce", "c17_comm_groups_tp_dp",
                           "c11_comp_comm_overlap_limits", "c26_num_queues"}) {
    const fs::path folder = fs::path(source_dir()) / "tests/golden/chakra" / name;
    const std::string text = experiment_of_case(folder);
    for (const std::string dialect : {"astra-sim-2", "native"}) {
      Warnings warnings;
      RunSpec spec = read_experiment(text, (folder / "experiment.yaml").string(), {"dialect=" + dialect},
                                     warnings, InputLog())
                         .runs.at(0);
      spec.network.model = &analytical_model;
      const RunResult folded = result_of(spec), all = result_of(spec, false);
      for (int npu = 0; npu < spec.topology->npus(); ++npu)
        EXPECT_EQ(folded.recording.finish_of(RankId(npu)), all.recording.finish_of(RankId(npu)))
            << name << ", " << dialect << ", rank " << npu;
    }
  }
}

// 2.x lets a message have one link; natively it has all toward its peer, and links are not asked for too
// much.
TEST_F(TraceWorkloads, DialectsDifferInLinks) {
  write_trace("step.et", overlapping);
  const std::string text =
      "network: [ { topology: ring, size: 4, links: 2, bandwidth: 50 GB/s, latency: 500 ns } ]\n"
      "workload: { traces: step }\nnetwork-model: analytical\n";
  EXPECT_LT(summary_of(text).total, summary_of(text + "dialect: astra-sim-2\n").total);
}

TEST_F(TraceWorkloads, PartsAddUp) {
  const std::string files = std::string(source_dir()) + "/examples/traces/two-stages";
  const Summary summary = summary_of(std::string(two_switches) + "workload: { traces: " + files +
                                     ", groups: " + files + "-groups.json }\n");
  ASSERT_EQ(summary.parts.size(), 8u);
  EXPECT_EQ(summary.time.compute, us(4 * 7000 + 4 * 14000 + 2600));
  EXPECT_EQ(summary.time.bubble,
            us((21000 + 7000) / 2));  // one micro-batch through the other stage, or a part of it
  EXPECT_EQ(summary.time.idle, us(14000 / 2));
  EXPECT_EQ(summary.total, summary.time.sum());
  Time exposed;
  for (const LayerSummary& layer : summary.layers) exposed += layer.exposed;
  EXPECT_NEAR(exposed.us(), summary.time.exposed.us(), 1e-5);
  for (const PartSummary& part : summary.parts) {
    EXPECT_EQ(part.time.sum(), summary.total);
    EXPECT_EQ(part.awaits_messages + part.awaits_collectives, part.time.bubble + part.time.exposed);
  }
}

TEST_F(TraceWorkloads, ScalesAreFactors) {
  write_trace("step.et", overlapping);
  const std::string text = std::string(two_switches) + "workload: { traces: step }\n";
  EXPECT_EQ(summary_of(text + "compute-scale: 2\n").time.compute, us(36));
  EXPECT_EQ(summary_of(text + "communication-scale: 0\n").total, us(18));
  EXPECT_GT(summary_of(text + "communication-scale: 2\n").total, summary_of(text).total);
}

TEST_F(TraceWorkloads, StragglersHoldUpTheOthers) {
  write_trace("step.et", overlapping);
  const std::string text = std::string(two_switches) + "workload: { traces: step }\n";
  const RunSpec spec = spec_of(text + "stragglers: { ranks: [5], slowdown: 2 }\n");
  const RunResult even = result_of(spec_of(text)), late = result_of(spec);
  EXPECT_GE(late.recording.finish_of(RankId(5)), even.recording.finish_of(RankId(5)) + us(5 + 3));
  EXPECT_GT(late.recording.finish_of(RankId(0)), even.recording.finish_of(RankId(0)));
}

TEST_F(TraceWorkloads, ARooflineTakesThePlaceOfDurations) {
  write_trace("step.et",
              "compute 1 name=product duration=5 num_ops=2000000000 tensor_size=1000000\n"
              "compute 2 name=copy after=1 duration=5 num_ops=1 tensor_size=4000000\n");
  const Summary summary =
      summary_of(std::string(two_switches) +
                 "workload: { traces: step, peak: 100 TFLOP/s, memory-bandwidth: 1 TB/s }\n");
  EXPECT_EQ(layer_of(summary, "product").compute, us(20));
  EXPECT_EQ(layer_of(summary, "copy").compute, us(4));
}

// A device computes at what its constants leave of its data sheet.
TEST_F(TraceWorkloads, DevicesComputeNodes) {
  write_trace("step.et", "compute 1 name=product duration=5 num_ops=200000000000 tensor_size=1000000\n");
  const auto took = [&](const std::string& device, const std::string& more) {
    return summary_of(std::string(two_switches) + "device: " + device + "\nworkload: { traces: step" + more +
                      " }\n")
        .time.compute;
  };
  const Device a100 = find_device("a100", {}, no_files());
  const double peak = a100.product_peak(Datatype::fp16) * a100.roofline.matrix_efficiency;
  EXPECT_NEAR(took("a100", "").us(), 200e9 / peak * 1e6, 1e-3);
  EXPECT_LT(took("h100", ""), took("a100", ""));
  EXPECT_GT(took("a100", ", datatype: fp64"), took("a100", ""));
}

TEST_F(TraceWorkloads, AReplaySendsNothing) {
  write_trace("step.et",
              "compute 1 name=work duration=5\n"
              "collective 2 name=sum after=1 duration=30 comm_type=0 comm_size=1048576\n");
  const RunSpec spec = spec_of(std::string(two_switches) + "workload: { traces: step, replay: true }\n");
  const RunResult result = result_of(spec);
  EXPECT_EQ(result.recording.messages, 0u);
  EXPECT_EQ(result.recording.end(), us(35));
}

// A training loop that was written as a trace computes as long when its nodes are run one by one.
TEST_F(TraceWorkloads, WrittenLoopsRun) {
  const std::string layers =
      "workload:\n  layers:\n"
      "    - { name: a, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, collective: "
      "all-reduce, size: 1 MiB } }\n"
      "    - { name: b, forward: { compute: 3 us }, weight-gradient: { compute: 4 us, collective: "
      "all-reduce, size: 1 MiB } }\n";
  write_file_atomically("loop.yaml", two_switches + layers);
  ASSERT_EQ(call_orrery({"convert", "loop.yaml", "--output=traces"}).exit_code, 0);
  const Summary summary = summary_of(std::string(two_switches) + "workload: { traces: traces }\n");
  EXPECT_EQ(summary.time.compute, us(5 + 7 + 3 + 4));
  EXPECT_GT(summary.time.exposed, Time());
}

// A server of all NPUs takes one request after the other.
TEST_F(TraceWorkloads, NpusQueueForRemoteMemory) {
  write_trace("step.et", "load 1 name=weights tensor_size=1000000\n");
  const auto total = [&](const std::string& server) {
    return summary_of(std::string(two_switches) + "workload: { traces: step, remote-memory: { server: " +
                      server + ", bandwidth: 100 GB/s, latency: 1 us } }\n")
        .total;
  };
  EXPECT_EQ(total("npu"), us(11));
  EXPECT_EQ(total("machine"), us(8 * 11));
  EXPECT_EQ(total("node, npus-per-node: 4"), us(4 * 11));
}

// ASTRA-sim 2 lets a broadcast take its duration; natively it is sent, as trees unless the system says
// otherwise.
TEST_F(TraceWorkloads, BroadcastsAreSentUnlessTheDialectSaysOtherwise) {
  write_trace("step.et", "collective 1 name=weights duration=9 comm_type=5 comm_size=1048576\n");
  const std::string text = std::string(two_switches) + "workload: { traces: step }\n";
  const RunSpec native = spec_of(text), replayed = spec_of(text + "dialect: astra-sim-2\n");
  EXPECT_GT(result_of(native).recording.messages, 0u);
  EXPECT_EQ(result_of(replayed).recording.messages, 0u);
  EXPECT_EQ(result_of(replayed).recording.end(), us(9));
  const RunSpec chosen =
      spec_of(text + "dialect: astra-sim-2\nsystem: { collectives: { broadcast: direct } }\n");
  EXPECT_GT(result_of(chosen).recording.messages, 0u);
}

// Commands that know no kind of workload know this one, too.
TEST_F(TraceWorkloads, EveryCommandKnowsThem) {
  const std::string example = std::string(source_dir()) + "/examples/recorded-step.yaml";
  ASSERT_EQ(run_orrery({example, "--timeline=kineto,perfetto"}).exit_code, 0);
  const std::vector<std::vector<std::string>> commands{
      {"validate", example},
      {"explain", example, "--run=h100"},
      {"crosscheck", example},
      {"sensitivity", example, "--run=h100"},
      {"report", "results/recorded-step"},
      {"compare", "results/recorded-step"},
      {"compare", example, "--run=as-recorded",
       "--measured=results/recorded-step/as-recorded/timeline.kineto"},
  };
  for (const std::vector<std::string>& words : commands) {
    const Outcome outcome = call_orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << words[0] << ": " << outcome.error;
    EXPECT_EQ(outcome.error, "") << words[0];
  }
}

// The measured step is the simulated one.
TEST_F(TraceWorkloads, AreComparedWithMeasurements) {
  const std::string example = std::string(source_dir()) + "/examples/recorded-step.yaml";
  ASSERT_EQ(run_orrery({example, "--timeline=kineto"}).exit_code, 0);
  const Outcome outcome = call_orrery({"compare", example, "--run=as-recorded", "--json",
                                       "--measured=results/recorded-step/as-recorded/timeline.kineto"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const Json comparison = Json::parse(outcome.output)["comparisons"][0];
  EXPECT_FALSE(comparison["parts"].empty());
  for (const Json& part : comparison["parts"])
    EXPECT_EQ(part["simulated_us"], part["measured_us"]) << part["what"];
  for (const Json& activity : comparison["activities"])
    EXPECT_EQ(activity["side"], "both") << activity["activity"];
}

// The timeline has the nodes of each part's lowest rank, and messages have numbers at both ends.
TEST_F(TraceWorkloads, TimelinesHaveTheNodesOfParts) {
  const std::string example = std::string(source_dir()) + "/examples/recorded-step.yaml";
  ASSERT_EQ(run_orrery({example}).exit_code, 0);
  const std::vector<CsvRow> timeline = read_csv("results/recorded-step/as-recorded/timeline.csv");
  EXPECT_EQ(timeline.size(), 8u * 19);
  std::map<std::string, int> ends;  // by number of the message
  for (const CsvRow& row : timeline)
    if (row.text("operation") == "send" || row.text("operation") == "receive") ++ends[row.text("message")];
  EXPECT_EQ(ends.size(), 8u * 4);
  for (const auto& [message, count] : ends) EXPECT_EQ(count, 2) << message;
  write_trace("step.et", overlapping);
  write_file_atomically("one.yaml", std::string(two_switches) + "workload: { traces: step }\n");
  ASSERT_EQ(run_orrery({"one.yaml"}).exit_code, 0);
  EXPECT_EQ(read_csv("results/one/one/timeline.csv").size(), 4u);
}

// An all-reduce of 1 MiB sends 3/4 MiB within the inner groups, 1/4 MiB between them, and 3/4 MiB again.
TEST_F(TraceWorkloads, DimensionsCarryWhatTheyCarryForLayers) {
  write_trace("sum.et", "collective 1 name=sum comm_type=0 comm_size=1048576\n");
  const std::string traces = std::string(two_switches) + "workload: { traces: sum }\n";
  const Summary of_traces = summary_of(traces);
  const Summary of_layers = summary_of(std::string(two_switches) + R"(
workload:
  policy: micro
  layers: [{ name: sum, weight-gradient: { collective: all-reduce, size: 1 MiB } }]
)");
  ASSERT_EQ(of_traces.dimensions.size(), 2u);
  EXPECT_EQ(of_traces.total, of_layers.total);
  EXPECT_EQ(of_traces.dimensions[0].payload, Bytes(3 << 19));
  EXPECT_EQ(of_traces.dimensions[1].payload, Bytes(1 << 18));
  const RunSpec spec = spec_of(traces);
  const Summary unfolded = spec.workload->summary(spec, result_of(spec, false));
  for (std::size_t d = 0; d < 2; ++d) {
    EXPECT_EQ(of_traces.dimensions[d].payload, of_layers.dimensions[d].payload);
    EXPECT_DOUBLE_EQ(of_traces.dimensions[d].busy, of_layers.dimensions[d].busy);
    EXPECT_EQ(of_traces.dimensions[d].payload, unfolded.dimensions[d].payload);
    EXPECT_DOUBLE_EQ(of_traces.dimensions[d].busy, unfolded.dimensions[d].busy);
    EXPECT_GT(of_traces.dimensions[d].busy, 0);
    EXPECT_LT(of_traces.dimensions[d].busy, 1);
  }
}

// NPUs 0 and 4 are at the same place of two inner groups. Where ranks differ, the numbers are means.
TEST_F(TraceWorkloads, GroupsUseTheDimensionsInWhichTheirMembersDiffer) {
  fs::create_directory("traces");
  for (int npu = 0; npu < 8; ++npu)
    write_trace(fmt::format("traces/step.{}.et", npu),
                npu % 4 > 0 ? "compute 1 name=alone duration=5\n"
                            : "collective 1 name=pair comm_type=0 comm_size=1048576 pg_name:string=1\n");
  write_file_atomically("groups.json", R"({ "1": [0, 4] })");
  const Summary summary =
      summary_of(std::string(two_switches) + "workload: { traces: traces/step, groups: groups.json }\n");
  ASSERT_EQ(summary.dimensions.size(), 2u);
  EXPECT_EQ(summary.dimensions[0].payload, Bytes());
  EXPECT_EQ(summary.dimensions[0].busy, 0);
  EXPECT_EQ(summary.dimensions[1].payload, Bytes(1 << 18));  // 2 of 8 NPUs send 1 MiB
  EXPECT_DOUBLE_EQ(summary.dimensions[1].busy, 0.25);
}

// The path of a step is explained as that of any workload: what an exchange passes, by which algorithm, and
// how much of its time is bytes and latency.
TEST_F(TraceWorkloads, ExplanationsSayWhyExchangesTakeTheirTime) {
  const std::string example = std::string(source_dir()) + "/examples/recorded-step.yaml";
  ASSERT_EQ(call_orrery({"explain", example, "--run=h100-slow"}).exit_code, 0);
  const std::vector<CsvRow> rows = read_csv("results/recorded-step/path-exchanges.csv");
  ASSERT_FALSE(rows.empty());
  double path = 0;
  for (const CsvRow& row : rows) {
    const bool message = row.text("collective") == "message";
    EXPECT_EQ(row.text("dimension"), message ? "fabric" : "nvlink");
    EXPECT_EQ(row.text("algorithm"), message ? "" : "ring");  // two dimensions have no algorithm for groups
    EXPECT_FALSE(row.text("link").empty());
    EXPECT_GT(row.number("bytes_share"), 0.8);
    EXPECT_GT(row.number("latency_share"), 0);
    EXPECT_LE(row.number("bytes_share") + row.number("latency_share"), 1 + 1e-4);
    path += row.number("path_us");
  }
  const std::vector<CsvRow> shares = read_csv("results/recorded-step/blame.csv");
  double communication = 0;
  for (const CsvRow& row : shares)
    if (row.text("by") == "activity" && row.text("name") != "compute") communication += row.number("time_us");
  EXPECT_NEAR(path, communication, 1e-6 * path);
}

// NPU 5 computes longest before the sum. Each rank has a graph of its own, in which the sum has another
// number.
TEST_F(TraceWorkloads, ExplanationsSayWhoCameLate) {
  fs::create_directory("traces");
  for (int npu = 0; npu < 8; ++npu) {
    const std::string own =
        npu == 5 ? "compute 1 name=slow duration=9\n" : "compute 1 name=quick duration=2\n";
    const std::string more = npu % 2 == 0 ? "compute 2 name=idle after=1 duration=1\n" : "";
    write_trace(fmt::format("traces/step.{}.et", npu),
                own + more + "collective 3 name=sum after=1 comm_type=0 comm_size=1048576\n");
  }
  write_file_atomically("late.yaml", std::string(two_switches) + "workload: { traces: traces/step }\n");
  ASSERT_EQ(call_orrery({"explain", "late.yaml"}).exit_code, 0);
  const std::vector<CsvRow> rows = read_csv("results/late/path-exchanges.csv");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].text("layer"), "sum");
  EXPECT_EQ(rows[0].text("late_rank"), "5");
  EXPECT_EQ(rows[0].number("late_us"), 7);
  EXPECT_NE(rows[0].text("late_after").find("slow"), std::string::npos) << rows[0].text("late_after");
}

}  // namespace
}  // namespace orrery::core::test::trace_workload_test
