#include "study/experiment/experiment.hpp"
#include "base/files/file.hpp"
#include "study/experiment/run_keys.hpp"
#include "support/source_dir.hpp"

#include <gtest/gtest.h>

#include "support/layers.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace orrery::core::experiment_test {
namespace {

// Files by path; the experiment itself is "dir/x.yaml".
using Files = std::map<std::string, std::string>;

Experiment read(const std::string& text, const Files& files = {},
                const std::vector<std::string>& overrides = {}) {
  const auto load = [&](const std::string& path) {
    const auto file = files.find(path);
    if (file == files.end()) throw InputError({path}, "cannot be opened");
    return file->second;
  };
  Warnings warnings;
  return read_experiment(text, "dir/x.yaml", overrides, warnings, load);
}

std::string error_of(const std::string& text, const Files& files = {},
                     const std::vector<std::string>& set = {}) {
  try {
    read(text, files, set);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const std::string& text, const std::string& part) {
  EXPECT_NE(error_of(text).find(part), std::string::npos) << error_of(text);
}

const std::string network = "network: [ { topology: ring, size: 4, bandwidth: 1 GB/s, latency: 1 ns } ]\n";
const std::string workload = "workload: { layers: [ { name: x } ] }\n";

TEST(Experiment, the_smallest_one_is_a_run_with_defaults) {
  const Experiment experiment = read(network + workload);
  EXPECT_EQ(experiment.name, "x");
  ASSERT_EQ(experiment.runs.size(), 1u);
  const RunSpec& run = experiment.runs[0];
  EXPECT_EQ(run.name, "x");
  EXPECT_EQ(run.dialect.name, "native");
  EXPECT_EQ(run.passes, 1);
  EXPECT_EQ(run.compute_scale, 1.0);
  EXPECT_EQ(run.comm_scale, 1.0);
  EXPECT_EQ(run.topology->npus(), 4);
  EXPECT_EQ(run.system->endpoint_delay, Time::from_ns(10));
  EXPECT_EQ(test::table_of(run).layers.size(), 1u);
}

TEST(Experiment, runs_inherit_from_the_top) {
  const Experiment experiment = read(network + workload + R"(
name: study
passes: 3
dialect: astra-sim-1.0
compute-scale: 0.5
communication-scale: 2
runs:
  - { name: a }
  - { name: b, passes: 7, dialect: native, compute-scale: 1, workload: { layers: [ { name: y }, { name: z } ] } }
)");
  EXPECT_EQ(experiment.name, "study");
  ASSERT_EQ(experiment.runs.size(), 2u);
  const RunSpec &a = experiment.runs[0], &b = experiment.runs[1];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.passes, 3);
  EXPECT_EQ(a.dialect.name, "astra-sim-1.0");
  EXPECT_EQ(a.compute_scale, 0.5);
  EXPECT_EQ(a.comm_scale, 2.0);
  EXPECT_EQ(b.passes, 7);
  EXPECT_EQ(b.dialect.name, "native");
  EXPECT_EQ(b.compute_scale, 1.0);
  EXPECT_EQ(test::table_of(b).layers.size(), 2u);
}

TEST(Experiment, ranks_differ_as_the_run_says_else_as_the_top_says) {
  const Experiment experiment = read(network + workload + R"(
stragglers: { ranks: [1-2], slowdown: 2 }
compute-jitter: { spread: 0 }
slow-links: { dimension: dim0, group-of: 3, slowdown: 4 }
runs:
  - { name: top }
  - { name: own, stragglers: { ranks: [0], slowdown: 3 }, slow-links: { dimension: dim0, ranks: [2], slowdown: 5 } }
  - { name: none, stragglers: [], slow-links: [] }
  - { name: other, stragglers: { ranks: [7], slowdown: 3 }, slow-links: [],
      network: [ { topology: ring, size: 8, bandwidth: 1 GB/s, latency: 1 ns } ] }
)");
  const std::vector<RunSpec>& runs = experiment.runs;
  EXPECT_EQ(runs[0].compute_slowdown, (std::vector<double>{1, 2, 2, 1}));
  ASSERT_EQ(runs[0].network.slow_links.size(), 1u);
  EXPECT_EQ(runs[0].network.slow_links[0].npus, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(runs[1].compute_slowdown, (std::vector<double>{3, 1, 1, 1}));
  ASSERT_EQ(runs[1].network.slow_links.size(), 1u);
  EXPECT_EQ(runs[1].network.slow_links[0].npus, (std::vector<int>{2}));
  EXPECT_EQ(runs[1].network.slow_links[0].slowdown, 5.0);
  EXPECT_TRUE(runs[2].compute_slowdown.empty());
  EXPECT_TRUE(runs[2].network.slow_links.empty());
  EXPECT_EQ(runs[3].compute_slowdown, (std::vector<double>{1, 1, 1, 1, 1, 1, 1, 3}));
}

TEST(Experiment, overrides_of_ranks_that_differ) {
  const auto slowdown = [](const std::string& text, const std::vector<std::string>& set) {
    return read(network + workload + text, {}, set).runs[0].compute_slowdown;
  };
  using Factors = std::vector<double>;
  EXPECT_EQ(slowdown("", {"stragglers.ranks=[3]", "stragglers.slowdown=1.5"}), (Factors{1, 1, 1, 1.5}));
  const std::string map = "stragglers: { ranks: [0, 2], slowdown: 2 }\n";
  EXPECT_EQ(slowdown(map, {"stragglers.slowdown=1.5"}), (Factors{1.5, 1, 1.5, 1}));
  EXPECT_EQ(slowdown(map, {"stragglers.ranks.1=1-3"}), (Factors{2, 2, 2, 2}));
  EXPECT_EQ(slowdown(map, {"stragglers=[]"}), Factors());
  const std::string list = "stragglers: [ { ranks: [0], slowdown: 2 }, { ranks: [1], slowdown: 3 } ]\n";
  EXPECT_EQ(slowdown(list, {"stragglers.1.ranks=[3]"}), (Factors{2, 1, 1, 3}));
  EXPECT_EQ(slowdown("", {"compute-jitter.spread=0.5"}).size(), 4u);
  const RunSpec run = read(network + workload, {},
                           {"slow-links.dimension=dim0", "slow-links.group-of=1", "slow-links.slowdown=2"})
                          .runs[0];
  EXPECT_EQ(run.network.slow_links.at(0).npus.size(), 4u);
}

TEST(Experiment, all_runs_together_have_limited_ranks_that_differ) {
  std::string text = workload +
                     "network: [ { topology: switch, size: 16777216, bandwidth: 1 GB/s, latency: 1 ns } ]\n"
                     "slow-links: { dimension: dim0, group-of: 1, slowdown: 2 }\nruns:\n";
  for (int i = 0; i < 5; ++i) text += "  - { name: r" + std::to_string(i) + " }\n";  // 5 * 2^24 > 2^26
  expect_error(text, "concern more than 67108864 ranks, those of all runs added up");
}

TEST(Experiment, pieces_have_names) {
  const Experiment experiment = read(R"(
networks: { small: [ { topology: ring, size: 4, bandwidth: 1 GB/s, latency: 1 ns } ] }
systems: { s: { chunks: 5 } }
workloads: { w: { layers: [ { name: x } ] } }
network: small
system: s
workload: w
)");
  EXPECT_EQ(experiment.runs[0].system->chunks, 5);
  EXPECT_EQ(experiment.runs[0].topology->dimensions[0].size, 4);
  EXPECT_EQ(test::table_of(experiment.runs[0]).layers[0].name, "x");
}

TEST(Experiment, warns_of_pieces_without_use) {
  Warnings warnings;
  read_experiment(network + workload + "systems: { s: { chnks: 5 } }\n", "x.yaml", {}, warnings, InputLog());
  EXPECT_EQ(warnings.lines(),
            (std::vector<std::string>{"x.yaml:3:12: warning: no run uses `s`, so nothing in it is checked"}));
}

const Files astra1_files = {
    {"dir/net.json", R"({"topologies-per-dim": ["Ring"], "units-count": [8], "links-count": [2],
                        "link-latency": [500], "link-bandwidth": [62]})"},
    {"dir/sub/system.txt",
     "scheduling-policy: FIFO endpoint-delay: 7 preferred-dataset-splits: 4 all-reduce-implementation: ring "
     "all-gather-implementation: ring reduce-scatter-implementation: ring all-to-all-implementation: direct "
     "collective-optimization: baseline"},
    {"dir/layers.txt", "DATA\n1\nconv\t-1\t5 NONE 0 5 NONE 0 5 ALLREDUCE 64 1\n"},
};

TEST(Experiment, pieces_may_be_files_of_astra_sim_1) {
  const Experiment experiment = read(R"(
dialect: astra-sim-1.0
injection-scale: 2.5
networks: { n: net.json }
network: n
system: sub/system.txt
workload: layers.txt
)",
                                     astra1_files);
  const RunSpec& run = experiment.runs[0];
  EXPECT_EQ(run.topology->dimensions[0].size, 8);
  EXPECT_EQ(run.system->issue_order, IssueOrder::fifo);
  EXPECT_EQ(run.system->endpoint_delay, Time::from_ns(17));  // 7 * 2.5 = 17.5, cut
  EXPECT_EQ(test::table_of(run).layers[0].name, "conv");
}

TEST(Experiment, a_network_file_has_names_for_slow_links) {
  const RunSpec run =
      read("network: net.json\nslow-links: { dimension: dim0, ranks: [7], slowdown: 2 }\n" + workload,
           astra1_files)
          .runs[0];
  ASSERT_EQ(run.network.slow_links.size(), 1u);
  EXPECT_EQ(run.network.slow_links[0].npus, (std::vector<int>{7}));
}

TEST(Experiment, errors_in_files_name_the_file) {
  Files files = astra1_files;
  files["dir/layers.txt"] = "DATAA\n1\n";
  EXPECT_EQ(
      error_of("network: net.json\nsystem: sub/system.txt\nworkload: layers.txt\n", files).substr(0, 26),
      "dir/layers.txt:1:1: error:");
}

TEST(Experiment, a_word_that_is_no_piece_and_no_file) {
  EXPECT_EQ(error_of(workload + "networks: { dgx2: [] }\nnetwork: dgx\n"),
            "dir/x.yaml:3:10: error: `dgx` is no name under `networks` (there: `dgx2`) and no file that can "
            "be read: "
            "dir/dgx: error: cannot be opened");
}

TEST(Experiment, overrides_come_before_reading) {
  const std::vector<std::string> set{"passes=2", "network.0.size=16", "system.chunks=8"};
  const RunSpec run = read(network + workload, {}, set).runs[0];
  EXPECT_EQ(run.passes, 2);
  EXPECT_EQ(run.topology->npus(), 16);
  EXPECT_EQ(run.system->chunks, 8);
  EXPECT_EQ(error_of(network + workload, {}, {"passes=many"}),
            "--set passes=many: error: `passes` has to be a whole number from 1 to 1000000000, not `many`");
}

TEST(Experiment, unknown_keys_are_refused) {
  EXPECT_EQ(error_of(network + workload + "pases: 2\n"),
            "dir/x.yaml:3:1: error: unknown key `pases`, did you mean `passes`?");
  expect_error(network + workload + "zzz: 2\n", "unknown key `zzz`; known here: `name`");
  expect_error(network + workload + "runs: [ { name: a, networks: {} } ]\n", "unknown key `networks`");
}

TEST(Experiment, names_of_runs) {
  expect_error(network + workload + "runs: [ { name: a }, { name: a } ]\n", "there are two runs `a`");
  expect_error(network + workload + "runs: [ { passes: 2 } ]\n",
               "dir/x.yaml:3:9: error: a run needs the key `name`");
  for (const char* name : {"''", "a/b", "'a,b'", "..", "'a\"b'", "\"a\\nb\"", "'a\\b'"})
    expect_error(network + workload + "runs: [ { name: " + name + " } ]\n", "cannot be a name");
  expect_error(network + workload + "name: a/b\n", "cannot be a name");
  expect_error(network + workload + "name: " + std::string(201, 'a') + "\n", "cannot be a name");
}

TEST(Experiment, what_a_run_needs) {
  expect_error(workload, "a run needs the key `network`, here or at the top");
  expect_error(network, "a run needs the key `workload`, here or at the top");
  expect_error("", "dir/x.yaml: error: an experiment has to be a map of keys and values, not nothing");
  expect_error("[1]", "an experiment has to be a map of keys and values, not a list");
  expect_error(network + workload + "runs: []\n", "`runs` has to be a list with at least one element");
  expect_error(network + workload + "networks: 3\n", "`networks` has to be a map");
}

TEST(Experiment, bad_values_are_located) {
  expect_error(network + workload + "passes: 0\n",
               "dir/x.yaml:3:9: error: `passes` has to be a whole number from 1");
  expect_error(network + workload + "passes: 1.5\n", "`passes` has to be a whole number");
  expect_error(network + workload + "passes: [1]\n",
               "`passes` has to be a whole number from 1 to 1000000000, not a list");
  expect_error(network + workload + "compute-scale: -1\n", "`compute-scale` has to be a number from 0");
  expect_error(network + workload + "compute-scale: nan\n", "`compute-scale` has to be a number from 0");
  expect_error(network + workload + "injection-scale: {}\n",
               "`injection-scale` has to be a number from 0 to 1000000, not a map");
  expect_error(network + workload + "dialect: astra-sim-1\n",
               "`dialect` has to be `native`, `astra-sim-1.0` or `astra-sim-2`");
}

TEST(Experiment, all_runs_together_have_limited_layers) {
  std::string text =
      network + "workload: { model: gpt3, peak: 1 PFLOP/s, transformer-layers: 10000 }\nruns:\n";
  for (int i = 0; i < 23; ++i) text += "  - { name: r" + std::to_string(i) + " }\n";  // 23 * 90'001 layers
  expect_error(text, "the runs have more than 2000000 layers");
}

TEST(Experiment, knows_its_keys) {
  std::vector<std::string> keys;
  for (const KeyPath& key : experiment_file_keys()) keys.push_back(key.path);
  for (const char* key :
       {"passes", "network[].memory.latency", "system.collectives.all-reduce[].window",
        "system.shared-bus.gap", "workload.peak", "workload.layers[].forward.compute", "runs", "stragglers",
        "stragglers.ranks", "stragglers[].ranks", "stragglers[].slowdown", "compute-jitter.spread",
        "compute-jitter.seed", "slow-links.dimension", "slow-links[].group-of", "slow-links[].slowdown"})
    EXPECT_EQ(std::count(keys.begin(), keys.end(), key), 1) << key;
  for (const std::string& key : keys) EXPECT_EQ(std::count(keys.begin(), keys.end(), key), 1) << key;
}

Experiment read_example(const std::string& name) {
  const std::string path = test::source_dir() + "/examples/" + name;
  Warnings warnings;
  const Experiment experiment = read_experiment(read_file_of_any_kind(path), path, {}, warnings, InputLog());
  EXPECT_TRUE(warnings.lines().empty());
  return experiment;
}

TEST(ExperimentExamples, dgx2_vs_tpu) {
  const Experiment experiment = read_example("dgx2-vs-tpu.yaml");
  ASSERT_EQ(experiment.runs.size(), 4u);
  const RunSpec &first = experiment.runs[0], &last = experiment.runs[3];
  EXPECT_EQ(first.name, "DGX2-VGG16");
  EXPECT_EQ(first.compute_scale, 0.41);
  EXPECT_EQ(first.dialect.name, "astra-sim-1.0");
  EXPECT_EQ(first.topology->dimensions[0].links, 6);
  EXPECT_EQ(first.topology->dimensions[1].link_bandwidth.gib_per_s(), 6.25);
  EXPECT_EQ(first.system->chunks, 4);
  EXPECT_EQ(first.system->algorithms_of(CollectiveKind::all_to_all),
            (std::vector<AlgorithmChoice>{{&direct_algorithm}, {&direct_algorithm}}));
  EXPECT_EQ(test::table_of(first).layers.size(), 16u);
  EXPECT_EQ(last.name, "TPU-GPT3");
  EXPECT_EQ(last.compute_scale, 1.0);
  EXPECT_EQ(test::table_of(last).layers.size(), 28u);
  EXPECT_EQ(last.topology->npus(), 256);
}

TEST(ExperimentExamples, ring_allreduce) {
  const Experiment experiment = read_example("ring-allreduce.yaml");
  EXPECT_EQ(experiment.runs.at(0).name, "ring-allreduce");
  EXPECT_EQ(experiment.runs.at(0).topology->npus(), 8);
}

TEST(ExperimentExamples, three_dimensions) {
  const Experiment experiment = read_example("three-dimensions.yaml");
  ASSERT_EQ(experiment.runs.size(), 5u);
  EXPECT_EQ(experiment.runs[0].topology->npus(), 512);
  EXPECT_EQ(test::table_of(experiment.runs[4]).layers.size(), 16u);
}

TEST(Experiment, ReadsWhatRunsShareOnce) {
  std::map<std::string, int> reads;
  const auto load = [&](const std::string& path) {
    ++reads[path];
    return astra1_files.at(path);
  };
  Warnings warnings;
  const Experiment experiment = read_experiment(R"(
workloads: { w: layers.txt }
network: net.json
system: sub/system.txt
workload: w
runs:
  - { name: a }
  - { name: b, workload: layers.txt }
  - { name: c, network: net.json }
)",
                                                "dir/x.yaml", {}, warnings, load);
  EXPECT_EQ(reads, (std::map<std::string, int>{
                       {"dir/net.json", 1}, {"dir/sub/system.txt", 1}, {"dir/layers.txt", 1}}));
  EXPECT_EQ(experiment.runs[0].workload, experiment.runs[1].workload);
  EXPECT_EQ(experiment.runs[0].workload, experiment.runs[2].workload);
}

TEST(Experiment, ReadsASharedSystemAnewForAnotherNetworkDialectOrScale) {
  const Experiment experiment = read(network + workload + R"(
system: { endpoint-delay: 7 ns }
runs:
  - { name: a }
  - { name: b, network: [ { topology: switch, size: 8, bandwidth: 1 GB/s, latency: 1 ns } ] }
  - { name: c, injection-scale: 2.5 }
  - { name: d, injection-scale: 2.5, dialect: astra-sim-1.0 }
  - { name: e }
)");
  const auto algorithm = [&](std::size_t run) {
    return experiment.runs[run].system->algorithms_of(CollectiveKind::all_reduce).at(0).algorithm;
  };
  const auto delay = [&](std::size_t run) { return experiment.runs[run].system->endpoint_delay; };
  EXPECT_EQ(algorithm(0), &ring_algorithm);
  EXPECT_EQ(algorithm(1), &halving_doubling_algorithm);
  EXPECT_EQ(delay(0), Time::from_ns(7));
  EXPECT_EQ(delay(2), Time::from_ps(17'500));
  EXPECT_EQ(delay(3), Time::from_ns(17));  // cut to whole nanoseconds
  EXPECT_EQ(algorithm(4), &ring_algorithm);
  EXPECT_EQ(delay(4), Time::from_ns(7));
}

}  // namespace
}  // namespace orrery::core::experiment_test
