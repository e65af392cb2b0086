// Runs every kind of workload on every kind of machine; docs/machines.md has the table.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/files/file.hpp"
#include "collective/library/network_library.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"
#include "support/trace_runs.hpp"

namespace orrery::core::test::machines_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* network = R"(
network:
  - { name: inner, topology: switch, size: 4, bandwidth: 100 GB/s, latency: 500 ns }
  - { name: outer, topology: switch, size: 2, bandwidth: 10 GB/s, latency: 1 us }
)";

const std::string messages, library = "system: { library: nccl }\n";

struct Workload {
  std::string name, text;
};

const Workload layers{"layers", R"(
workload:
  layers:
    - { name: a, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, collective: all-reduce, size: 3 MiB } }
)"};
const Workload pipeline{"pipeline",
                        "workload: { model: lenet5, batch: 8, pipeline: { micro-batches: 2 } }\n"
                        "device: v100\n"};
const Workload parameter_server{
    "parameter server", "workload: { model: lenet5, batch: 8, parameter-server: {} }\ndevice: v100\n"};
const Workload transformer{"transformer",
                           "platform: { base: dgx-a100, stack: megatron-2022 }\n"
                           "workload: { model: gpt3-125m, batch: { global: 8 },\n"
                           "            parallelism: { tensor: 2, pipeline: 2, data: 2 } }\n"};

// Two stages of a pipeline with four NPUs each.
Workload traces() {
  const std::string files = std::string(source_dir()) + "/examples/traces/two-stages";
  return {"traces", "workload: { traces: " + files + ", groups: " + files + "-groups.json }\n"};
}

// Runs with a network on which all messages may meet: one of links or one of flows.
class Machines : public testing::TestWithParam<NetworkModel> {
 protected:
  std::string on_network() const { return "network-model: " + std::string(GetParam()->name) + "\n"; }
  std::string library_on_network() const { return library + on_network(); }

  Outcome run(const Workload& workload, const std::string& machine) {
    const std::string file = (scratch.path() / "experiment.yaml").string();
    write_file_atomically(file, network + workload.text + machine);
    return run_orrery({file, "--json", "--output=" + scratch.path().string()});
  }
  double total_us(const Workload& workload, const std::string& machine) {
    const Outcome outcome = run(workload, machine);
    EXPECT_EQ(outcome.exit_code, 0) << workload.name << ": " << outcome.error;
    if (outcome.exit_code != 0) return 0;
    return nlohmann::json::parse(outcome.output)["runs"][0]["total_us"].get<double>();
  }
  void expect_refused(const Workload& workload, const std::string& machine, const std::string& why) {
    const Outcome outcome = run(workload, machine);
    EXPECT_EQ(outcome.exit_code, 2) << workload.name;
    EXPECT_NE(outcome.error.find(why), std::string::npos) << workload.name << ": " << outcome.error;
  }

  TemporaryFolder scratch;
};

TEST_P(Machines, LayersRun) {
  const double by_messages = total_us(layers, messages), by_library = total_us(layers, library);
  EXPECT_GT(by_messages, 0);
  EXPECT_GT(by_library, 0);
  EXPECT_NE(by_messages, by_library);
  EXPECT_GT(total_us(layers, on_network()), 0);
  expect_refused(layers, library_on_network(), "closed forms that send no messages");
}

TEST_P(Machines, PipelinesRun) {
  const double by_messages = total_us(pipeline, messages), by_library = total_us(pipeline, library);
  EXPECT_NE(by_messages, by_library);
  EXPECT_GT(total_us(pipeline, on_network()), 0);
  EXPECT_GT(total_us(pipeline, library_on_network()), 0);
}

TEST_P(Machines, ParameterServersRun) {
  EXPECT_GT(total_us(parameter_server, messages), 0);
  EXPECT_GT(total_us(parameter_server, on_network()), 0);
  expect_refused(parameter_server, library, "it has no collectives");
  expect_refused(parameter_server, library_on_network(), "it has no collectives");
}

TEST_P(Machines, TransformersRun) {
  const double by_messages = total_us(transformer, messages), by_library = total_us(transformer, library);
  EXPECT_NE(by_messages, by_library);
  const double links = total_us(transformer, on_network());
  EXPECT_GT(links, 0);
  EXPECT_GT(total_us(transformer, library_on_network()), 0);
  // Slower links are slower for either.
  const std::string slow = "slow-links: { dimension: outer, ranks: [0], slowdown: 8 }\n";
  EXPECT_GT(total_us(transformer, on_network() + slow), links);
}

TEST_P(Machines, TracesOfAnExperimentRun) {
  const double by_messages = total_us(traces(), messages), by_library = total_us(traces(), library);
  EXPECT_NE(by_messages, by_library);
  const double links = total_us(traces(), on_network());
  EXPECT_GT(links, 0);
  EXPECT_GT(total_us(traces(), library_on_network()), 0);
  const std::string slow = "slow-links: { dimension: outer, ranks: [0], slowdown: 8 }\n";
  EXPECT_GT(total_us(traces(), on_network() + slow), links);
  EXPECT_GT(total_us(traces(), "network-model: analytical\n" + slow),
            total_us(traces(), "network-model: analytical\n"));
  EXPECT_GT(total_us(traces(), on_network() + "stragglers: { ranks: [3], slowdown: 1.5 }\n"), links * 1.05);
}

// A network as it is built: the same groups of NPUs in a tree of switches.
TEST_P(Machines, EveryWorkloadRunsOnAGraph) {
  const std::string graph =
      "network: { build: fat-tree, link: { bandwidth: 50 GB/s, latency: 500 ns },\n"
      "           levels: [ { size: 4 }, { size: 2, oversubscription: 2 } ] }\n";
  for (const Workload& workload : {layers, pipeline, parameter_server, transformer, traces()}) {
    const std::string file = (scratch.path() / "experiment.yaml").string();
    const auto run_on = [&](const std::string& machine) {
      write_file_atomically(file, graph + workload.text + machine);
      return run_orrery({file, "--json", "--output=" + scratch.path().string()});
    };
    const Outcome usual = run_on("");
    ASSERT_EQ(usual.exit_code, 0) << workload.name << ": " << usual.error;
    const nlohmann::json run = nlohmann::json::parse(usual.output)["runs"][0];
    EXPECT_EQ(run["network_model"], "fluid") << workload.name;
    EXPECT_GT(run["total_us"].get<double>(), 0) << workload.name;
    EXPECT_FALSE(run.contains("network_cost_usd")) << workload.name;
    EXPECT_NE(run_on("network-model: analytical\n").error.find("knows only dimensions"), std::string::npos);
    EXPECT_NE(run_on("network-model: link\n").error.find("links of a graph"), std::string::npos);
    EXPECT_EQ(run_on(library).exit_code, workload.name == "parameter server" ? 2 : 0) << workload.name;
  }
}

TEST_P(Machines, KeysOfAGraphCanBeSet) {
  const std::string file = (scratch.path() / "experiment.yaml").string();
  write_file_atomically(file,
                        "network: { build: fat-tree, link: { bandwidth: 50 GB/s, latency: 500 ns },\n"
                        "           levels: [ { size: 4 }, { size: 2 } ] }\n" +
                            layers.text);
  const auto total = [&](const std::string& key) {
    const Outcome outcome = run_orrery({file, "--json", "--output=" + scratch.path().string(), "--set", key});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return nlohmann::json::parse(outcome.output)["runs"][0]["total_us"].get<double>();
  };
  const double even = total("network.levels.1.oversubscription=1");
  EXPECT_GT(total("network.levels.1.oversubscription=4"), even);
  EXPECT_GT(total("network.link.bandwidth=10 GB/s"), even);
  const Outcome unknown = run_orrery({file, "--set", "network.levels.1.oversubscriptions=4"});
  EXPECT_NE(unknown.error.find("oversubscriptions"), std::string::npos);
  EXPECT_EQ(unknown.exit_code, 2);
}

// With two spines, a hash decides which of them a pair of NPUs uses.
TEST_P(Machines, ASeedChoosesAmongWaysThroughAGraph) {
  const std::string file = (scratch.path() / "experiment.yaml").string();
  write_file_atomically(file,
                        "network: { build: fat-tree, link: { bandwidth: 50 GB/s, latency: 500 ns },\n"
                        "           levels: [ { size: 4 }, { size: 2 } ] }\n" +
                            layers.text);
  std::set<double> totals;
  for (int seed = 0; seed < 10; ++seed) {
    const Outcome outcome = run_orrery({file, "--json", "--output=" + scratch.path().string(), "--set",
                                        "route-seed=" + std::to_string(seed)});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    totals.insert(nlohmann::json::parse(outcome.output)["runs"][0]["total_us"].get<double>());
  }
  EXPECT_GT(totals.size(), 1u);
}

// The parts of a step's time are measured, not taken from the closed forms of a library.
TEST_P(Machines, PartsOfATransformersStepAddUp) {
  for (const std::string& machine : {messages, library, on_network(), library_on_network()}) {
    const Outcome outcome = run(transformer, machine);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    const nlohmann::json run = nlohmann::json::parse(outcome.output)["runs"][0];
    const double total = run["total_us"].get<double>(), exposed = run["exposed_us"].get<double>();
    const double compute = run["compute_us"].get<double>(), idle = run["idle_us"].get<double>();
    EXPECT_NEAR(compute + run["bubble_us"].get<double>() + exposed + idle, total, 1e-4);
    double by_axis = 0;
    for (const auto& [axis, time] : run["exposed_by_axis_us"].items()) by_axis += time.get<double>();
    EXPECT_NEAR(by_axis, exposed, 1e-4) << machine;
    EXPECT_GT(run["exposed_by_axis_us"]["tensor"].get<double>(), 0.02 * total) << machine;
  }
}

// Ranks that compute more slowly hold up those that wait for them, whoever carries out the collectives.
TEST_P(Machines, StragglersHoldUpTransformers) {
  const std::string straggler = "stragglers: { ranks: [3], slowdown: 1.5 }\n";
  for (const std::string& machine : {messages, library, on_network(), library_on_network()}) {
    const double even = total_us(transformer, machine);
    EXPECT_GT(total_us(transformer, machine + straggler), even * 1.05) << machine;
  }
}

Recording run_trace(bool by_library, NetworkModel model) {
  TraceMachine machine = switched_machine({4, 2}, &tree_algorithm);
  machine.system.algorithms.fill({AlgorithmChoice{}, AlgorithmChoice{}});
  machine.network.model = model;
  if (by_library)
    machine.library =
        std::make_shared<const CollectiveLibrary>(library_on(machine.topology, {"nccl", {}, no_files()}));
  return simulate_traces(std::vector<RankTrace>(8, trace_of({{chakra::CommType::all_reduce, 1 << 20}})),
                         machine);
}

TEST_P(Machines, ExecutionTracesRun) {
  const Time by_messages = run_trace(false, &analytical_model).finish_of(RankId(0));
  const Time on_network = run_trace(false, GetParam()).finish_of(RankId(0));
  EXPECT_GT(by_messages, Time());
  EXPECT_GT(on_network, Time());
  for (const NetworkModel model : {&analytical_model, GetParam()}) {
    const Recording by_library = run_trace(true, model);
    const CollectiveLibrary closed =
        library_on(switched_machine({4, 2}, &tree_algorithm).topology, {"nccl", {}, no_files()});
    const double seconds = closed.seconds(CollectiveKind::all_reduce, 1 << 20, {8, 4});
    for (const Time finish : by_library.finish) EXPECT_EQ(finish, Time::from_ns_rounded(seconds * 1e9));
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, Machines, testing::Values(&link_model, &fluid_model),
                         [](const auto& model) { return std::string(model.param->name); });

}  // namespace
}  // namespace orrery::core::test::machines_test
