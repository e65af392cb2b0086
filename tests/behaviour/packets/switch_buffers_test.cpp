// Tests buffers of single switches and of levels of a tree.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "orrery/experiment.hpp"
#include "support/built_network.hpp"

namespace orrery::core::test::switch_buffers_test {
namespace {

// Buffers of switches by their names.
std::map<std::string, std::uint64_t> buffers_of(const NetworkGraph& graph) {
  std::map<std::string, std::uint64_t> buffers;
  for (const NodeId node : graph.all_nodes())
    if (graph.node(node).kind == NodeKind::network_switch)
      buffers[graph.node(node).name] = graph.node(node).buffer;
  return buffers;
}

TEST(SwitchBuffers, LevelsOfATreeHaveTheirOwn) {
  const NetworkGraph graph =
      built(
          "{ build: fat-tree, link: { bandwidth: 100 Gbit/s, latency: 1 us },\n"
          "  levels: [ { size: 2, buffer: 8 MiB }, { size: 2, oversubscription: 2, buffer: 64 MiB } ] }")
          .graph;
  EXPECT_EQ(buffers_of(graph), (std::map<std::string, std::uint64_t>{
                                   {"leaf0", 8u << 20}, {"leaf1", 8u << 20}, {"spine0", 64u << 20}}));
}

TEST(SwitchBuffers, WrittenNodesHaveTheirOwn) {
  const NetworkGraph graph =
      built(
          "{ nodes: [ { name: gpu, kind: npu, count: 2 }, { name: a, kind: switch, buffer: 1 MiB }, { name: "
          "b, kind: switch } ],\n"
          "  links: [ { from: gpu0, to: a, bandwidth: 10 GB/s, latency: 1 us }, { from: a, to: b, bandwidth: "
          "10 GB/s, "
          "latency: 1 us }, { from: b, to: gpu1, bandwidth: 10 GB/s, latency: 1 us } ] }")
          .graph;
  EXPECT_EQ(buffers_of(graph), (std::map<std::string, std::uint64_t>{{"a", 1u << 20}, {"b", 0}}));
}

// Seven of eight hosts behind one leaf send to those behind another all at once, over TCP: with small buffers
// packets are lost. Those of the level that is small, and of no other.
std::map<std::string, double> drops(const std::string& leaf, const std::string& spine) {
  const std::string text =
      "network: { build: fat-tree, link: { bandwidth: 10 Gbit/s, latency: 1 us }, levels: [ { size: 8" +
      leaf + " }, { size: 2, oversubscription: 8, link: { bandwidth: 10 Gbit/s, latency: 1 us }" + spine +
      " } ] }\n"
      "network-model: packet\npackets: { profile: tcp }\n"
      "system: { collectives: { all-to-all: { algorithm: direct, span: machine } } }\n"
      "workload: { layers: [ { name: a, forward: { collective: all-to-all, size: 1 MiB } } ], policy: model "
      "}\n";
  const auto experiment = orrery::Experiment::from(orrery::Document::parse(text).value());
  EXPECT_TRUE(experiment.ok()) << text;
  const orrery::Runs runs = experiment.value().simulate();
  EXPECT_TRUE(runs.ok()) << text;
  const orrery::Table table = runs[0].table("switches").value();
  std::map<std::string, double> of_kind{{"leaf", 0}, {"spine", 0}};
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (auto& [kind, count] : of_kind)
      if (table.text(row, "switch").value().starts_with(kind)) count += table.real(row, "drops").value();
  return of_kind;
}

TEST(SwitchBuffers, ALevelWithSmallBuffersLosesPackets) {
  EXPECT_EQ(drops("", ""), (std::map<std::string, double>{{"leaf", 0}, {"spine", 0}}));
  const auto small_spines = drops("", ", buffer: 64 KiB"), small_leaves = drops(", buffer: 64 KiB", "");
  EXPECT_EQ(small_spines.at("leaf"), 0);
  EXPECT_GT(small_leaves.at("leaf"), 0);
  EXPECT_EQ(small_leaves.at("spine"), 0);
}

}  // namespace
}  // namespace orrery::core::test::switch_buffers_test
