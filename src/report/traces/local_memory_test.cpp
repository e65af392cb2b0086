#include "report/traces/local_memory.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace orrery::core::local_memory_test {
namespace {

using Tensors = std::vector<chakra::Trace::NodeTensors>;

// Node 0 writes x, node 1 reads x and w, and writes y, each for 10 ns; unless they have other tensors.
struct TwoNodes {
  explicit TwoNodes(Tensors tensors = {{0, {}, {{1, 100}}}, {1, {{1, 100}, {2, 50}}, {{3, 1000}}}}) {
    ProgramPart& part = traces.program.parts.emplace_back();
    part.graph = ExecutionGraph(std::make_shared<GraphEdges>(GraphEdges{{0, 0, 0}, {}}));
    for (const std::uint64_t number : {7, 8}) part.graph.append({}, "", number);
    traces.facts.push_back({{}, {}, std::move(tensors), {"", "x", "w", "y"}});
    traces.part_of = {0};
    const RankClasses one = RankClasses::all_distinct(1);
    recording.set_ranks(one, RankParts(one), {Time::from_ns(20)},
                        {{{Time(), Time::from_ns(10)}, {Time::from_ns(10), Time::from_ns(20)}}});
  }
  std::uint64_t peak() const { return peak_local_memory(traces, recording, RankId(0)); }

  TraceProgram traces;
  Recording recording;
};

TEST(LocalMemory, PeakIsTheLargestSumOfLivingTensors) {
  EXPECT_EQ(TwoNodes().peak(), 1150u);
}

TEST(LocalMemory, NodesWithoutTensorsAndEmptyTensorsCountForNothing) {
  EXPECT_EQ(TwoNodes({{0, {}, {{1, 0}}}}).peak(), 0u);
}

TEST(LocalMemory, ASecondWriteIsLeftOutAndNamed) {
  const TwoNodes run({{0, {}, {{1, 100}}}, {1, {{1, 100}, {2, 50}}, {{1, 5000}}}});
  const auto repeated = repeated_writes(run.traces, run.recording, RankId(0));
  ASSERT_EQ(repeated.size(), 1u);
  EXPECT_NE(repeated[0].find("node 8 writes tensor `x`"), std::string::npos) << repeated[0];
  EXPECT_EQ(run.peak(), 150u);
}

TEST(LocalMemory, WordsTakeTheLargestUnit) {
  EXPECT_EQ(memory_words(0), "0.00 B");
  EXPECT_EQ(memory_words(12288), "12.00 KB");
  EXPECT_EQ(memory_words(1536ull << 20), "1.50 GB");
}

TEST(LocalMemory, TensorsThatAreNeverReadHaveNoEnd) {
  const TwoNodes run;
  const auto document = nlohmann::json::parse(local_memory_json(run.traces, run.recording, RankId(0)));
  int begun = 0, ended = 0;
  for (const auto& event : document.at("traceEvents")) {
    if (event.value("cat", "") != "tensorLifetime") continue;
    EXPECT_EQ(event.at("pid"), 1000000);
    ++(event.at("ph") == "B" ? begun : ended);
  }
  EXPECT_EQ(begun, 3);
  EXPECT_EQ(ended, 2);
}

}  // namespace
}  // namespace orrery::core::local_memory_test
