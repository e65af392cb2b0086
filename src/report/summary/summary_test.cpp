#include "report/summary/summary.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/whole_machine.hpp"

namespace orrery::core::summary_test {
namespace {

constexpr Time ns(std::int64_t count) {
  return Time::from_ns(count);
}

// Layer a computes for 100 ns and blocks for 50, layer b computes for 30.
// Other NPUs may end later than NPU 0.
Summary example(std::vector<Time> finish = {ns(180)}) {
  ExecutionGraph graph;
  graph.layer_names = {"a", "b"};
  Recording recording;
  std::vector<Interval> operations;
  PhaseRecords records;
  using Ids = std::vector<ExecutionGraph::Id>;
  const auto add = [&](const Operation& operation, const Ids& predecessors, std::int64_t start,
                       std::int64_t end) {
    operations.push_back({ns(start), ns(end)});
    graph.add(operation, predecessors);
  };
  add({OperationKind::begin, Pass::forward, -1, 0, {}, {}, {}}, {}, 0, 0);
  add({OperationKind::compute, Pass::forward, 0, 0, ns(100), {}, {}}, {0}, 0, 100);
  add({OperationKind::collective, Pass::forward, 0, 0, {}, {}, {}}, {1}, 100, 150);
  add({OperationKind::compute, Pass::forward, 1, 0, ns(30), {}, {}}, {1, 2}, 150, 180);
  add({OperationKind::pass_end, Pass::forward, -1, 0, {}, {}, {}}, {3}, 180, 180);
  add({OperationKind::end, Pass::forward, -1, 0, {}, {}, {}}, {3}, 180, 180);
  records.payload = {Bytes(4096), Bytes(12)};
  recording.messages = 7;
  Machine machine;
  machine.topology.dimensions.resize(2);
  machine.topology.dimensions[0].name = "inner";
  machine.topology.dimensions[0].size = 4;
  machine.topology.dimensions[0].link_bandwidth = Bandwidth::from_gib_per_s(10);
  machine.topology.dimensions[1].block = Block::switched;
  machine.topology.dimensions[1].size = 2;
  records.logical_dimensions = 2;
  records.chunks.phases = {{0, 2, 0, 0, ns(100), ns(100), ns(145), {}, 1}};
  const RankClasses classes = RankClasses::all_distinct(static_cast<std::uint32_t>(finish.size()));
  recording.set_ranks(classes, RankParts(classes), finish, {operations});
  recording.parts[0].collectives = records;
  const Program program = test::on_all_ranks(graph, machine.topology);
  return summarize("run", 1, program, machine, recording, breakdown_of(program, recording));
}

TEST(Summary, AddsUp) {
  const Summary summary = example();
  EXPECT_EQ(summary.name, "run");
  EXPECT_EQ(summary.dialect, "native");
  EXPECT_EQ(summary.npus, 8);
  EXPECT_EQ(summary.total, ns(180));
  EXPECT_EQ(summary.time.compute, ns(130));
  EXPECT_EQ(summary.time.exposed, ns(50));
  EXPECT_DOUBLE_EQ(summary.exposed_share(), 50.0 / 180);
  EXPECT_EQ(summary.iteration_ends, (std::vector{ns(180)}));
  ASSERT_EQ(summary.layers.size(), 2u);
  EXPECT_EQ(summary.layers[0].communication, ns(50));
  EXPECT_EQ(summary.layers[0].exposed, ns(50));
  EXPECT_EQ(summary.layers[1].compute, ns(30));
  EXPECT_EQ(summary.layers[1].exposed, ns(0));
  ASSERT_EQ(summary.dimensions.size(), 2u);
  EXPECT_EQ(summary.dimensions[0].kind, "ring of 4");
  EXPECT_EQ(summary.dimensions[1].kind, "switch of 2");
  EXPECT_EQ(summary.dimensions[0].payload, Bytes(4096));
  EXPECT_EQ(summary.dimensions[0].busy, 0.25);  // 45 of 180 ns
  ASSERT_NE(summary.busiest_dimension(), nullptr);
  EXPECT_EQ(summary.busiest_dimension()->name, "inner");
  EXPECT_EQ(summary.network_cost,
            320);  // 8 NPUs, 8 links of 10 GiB/s at 4 dollars; the switch carries nothing
}

// A straggler study once said 180 ns where the run took 250.
TEST(Summary, ARunTakesUntilItsLastNpuEnds) {
  const Summary summary = example({ns(180), ns(200), ns(250), ns(250)});
  EXPECT_EQ(summary.total, ns(250));
  EXPECT_EQ(summary.last_rank, RankId(2));
  EXPECT_EQ(summary.rank_0_total, ns(180));
  EXPECT_EQ(summary.time.sum(), ns(250));
  EXPECT_EQ(summary.time.idle, ns(70));  // of NPU 0, whose operations are known
  const nlohmann::json json = to_json(summary);
  EXPECT_EQ(json.at("total_us"), 0.25);
  EXPECT_EQ(json.at("rank_0_total_us"), 0.18);
}

TEST(Summary, NothingIsExposedOfNoTime) {
  EXPECT_EQ(Summary{}.exposed_share(), 0);
}

TEST(Summary, NamesTheWorstLayers) {
  Summary summary;
  summary.layers = {{"a", {}, {}, ns(5)}, {"b", {}, {}, ns(9)}, {"c", {}, {}, ns(0)}, {"d", {}, {}, ns(5)}};
  const auto names = [&](std::size_t most) {
    std::string result;
    for (const LayerSummary* layer : summary.worst_layers(most)) result += layer->name;
    return result;
  };
  EXPECT_EQ(names(2), "ba");
  EXPECT_EQ(names(9), "bad");  // equals in the workload's order, none without waits
  EXPECT_EQ(names(0), "");
}

TEST(Summary, WritesMicrosecondsAndBytes) {
  const nlohmann::json json = to_json(example());
  EXPECT_EQ(json["name"], "run");
  EXPECT_EQ(json["npus"], 8);
  EXPECT_EQ(json["iterations"], 1);
  EXPECT_EQ(json["total_us"], 0.18);
  EXPECT_EQ(json["compute_us"], 0.13);
  EXPECT_EQ(json["exposed_us"], 0.05);
  EXPECT_EQ(json["iteration_ends_us"], nlohmann::json::array({0.18}));
  EXPECT_EQ(
      json["layers"][0],
      (nlohmann::json{{"name", "a"}, {"compute_us", 0.1}, {"communication_us", 0.05}, {"exposed_us", 0.05}}));
  EXPECT_EQ(
      json["dimensions"][0],
      (nlohmann::json{
          {"name", "inner"}, {"topology", "ring of 4"}, {"payload_bytes", 4096}, {"busy_share", 0.25}}));
  EXPECT_EQ(json["messages"], 7);
}

TEST(Summary, TellsWhatWasVaried) {
  Summary summary = example();
  EXPECT_FALSE(to_json(summary).contains("varied"));
  summary.varied = {{"network.x.size", "8"}};
  EXPECT_EQ(to_json(summary)["varied"], (nlohmann::json{{"network.x.size", "8"}}));
}

TEST(Summary, OfARunThatFailedIsItsNameAndError) {
  Summary summary;
  summary.name = "run";
  summary.error = "x.yaml:1: error: no";
  EXPECT_EQ(to_json(summary), (nlohmann::json{{"name", "run"}, {"error", "x.yaml:1: error: no"}}));
}

TEST(Summary, OfAnExperimentIsWhatAWriterOfJsonMakesOfIt) {
  Summary failed;
  failed.name = "a \"quoted\"\nname";
  failed.error = "no";
  const Origin origin{{"run", "e.yaml"}, {"passes=2"}, {{"e.yaml", "0123"}}, {"7"}};
  const nlohmann::json all{
      {"experiment", "e\"\\"}, {"origin", to_json(origin)}, {"runs", {to_json(example()), to_json(failed)}}};
  EXPECT_EQ(experiment_json_head("e\"\\", origin) + experiment_json_run(json_text(example()), true) +
                experiment_json_run(json_text(failed), false) + experiment_json_end(),
            all.dump(2) + "\n");
  failed.name = "\xff";
  EXPECT_NE(json_text(failed).find("\ufffd"), std::string::npos);
}

}  // namespace
}  // namespace orrery::core::summary_test
