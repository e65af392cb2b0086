#include "report/local_memory.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace orrery {
namespace {

// Node 0 writes x, node 1 reads x and w, and writes y, each for 10 ns.
chakra::TraceGraph two_nodes() {
  chakra::TraceGraph graph;
  graph.texts = {"", "x", "w", "y"};
  for (const std::uint64_t id : {7, 8}) {
    chakra::Node node;
    node.id = id;
    graph.nodes.push_back(node);
  }
  graph.tensors = {{0, {}, {{1, 100}}}, {1, {{1, 100}, {2, 50}}, {{3, 1000}}}};
  return graph;
}

RankRecording one_after_the_other() {
  RankRecording recording;
  recording.nodes = {{Time(), Time::from_ns(10)}, {Time::from_ns(10), Time::from_ns(20)}};
  return recording;
}

TEST(LocalMemory, PeakIsTheLargestSumOfLivingTensors) {
  EXPECT_EQ(peak_local_memory(two_nodes(), one_after_the_other()), 1150u);
}

TEST(LocalMemory, NodesWithoutTensorsAndEmptyTensorsCountForNothing) {
  chakra::TraceGraph graph = two_nodes();
  graph.tensors = {{0, {}, {{1, 0}}}};
  EXPECT_EQ(peak_local_memory(graph, one_after_the_other()), 0u);
}

TEST(LocalMemory, ASecondWriteIsLeftOutAndNamed) {
  chakra::TraceGraph graph = two_nodes();
  graph.tensors[1].outputs = {{1, 5000}};
  const auto repeated = repeated_writes(graph, one_after_the_other());
  ASSERT_EQ(repeated.size(), 1u);
  EXPECT_NE(repeated[0].find("node 8 writes tensor `x`"), std::string::npos) << repeated[0];
  EXPECT_EQ(peak_local_memory(graph, one_after_the_other()), 150u);
}

TEST(LocalMemory, WordsTakeTheLargestUnit) {
  EXPECT_EQ(memory_words(0), "0.00 B");
  EXPECT_EQ(memory_words(12288), "12.00 KB");
  EXPECT_EQ(memory_words(1536ull << 20), "1.50 GB");
}

TEST(LocalMemory, TensorsThatAreNeverReadHaveNoEnd) {
  const auto document = nlohmann::json::parse(local_memory_json(two_nodes(), one_after_the_other(), 3));
  int begun = 0, ended = 0;
  for (const auto& event : document.at("traceEvents")) {
    if (event.value("cat", "") != "tensorLifetime") continue;
    EXPECT_EQ(event.at("pid"), 1000003);
    ++(event.at("ph") == "B" ? begun : ended);
  }
  EXPECT_EQ(begun, 3);
  EXPECT_EQ(ended, 2);
}

}  // namespace
}  // namespace orrery
