#include "study/machine/yaml_system.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace orrery::core::yaml_system_test {
namespace {

using Choices = std::vector<AlgorithmChoice>;

// A ring of 4, 3 fully connected, switches of 8 and 6.
Topology machine() {
  Topology topology;
  const auto add = [&](Block block, int size) {
    Dimension dimension;
    dimension.block = block;
    dimension.size = size;
    topology.dimensions.push_back(dimension);
  };
  add(Block::ring, 4);
  add(Block::fully_connected, 3);
  add(Block::switched, 8);
  add(Block::switched, 6);
  return topology;
}

SystemConfig read(const std::string& text, const Dialect& dialect = native_dialect,
                  double injection_scale = 1) {
  Warnings warnings;
  const auto load = [](const std::string&) { return std::string(); };
  return read_yaml_system(parse_yaml(text, "x.yaml"), machine(), dialect, injection_scale,
                          {"", load, warnings});
}

Choices all_reduce(const std::string& text) {
  return read("collectives: { all-reduce: " + text + " }").algorithms_of(CollectiveKind::all_reduce);
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(YamlSystem, every_key) {
  const SystemConfig system = read(R"(
all-reduce-shape: baseline
chunks: 4
scheduling: fifo
active-chunks-per-dimension: 2
queues-per-dimension: 3
dimension-order: themis-flex
queue-order: fewest-phases-left
themis-gap-denominator: 5
rendezvous: true
shared-bus: { latency: 5 ns, overhead: 6 ns, gap: 7 ns, gap-per-byte: 0.25 ns/B, local-reduction-delay: 8 }
)");
  EXPECT_EQ(system.all_reduce_shape, AllReduceShape::baseline);
  EXPECT_EQ(system.chunks, 4);
  EXPECT_EQ(system.issue_order, IssueOrder::fifo);
  EXPECT_EQ(system.active_chunks, 2);
  EXPECT_EQ(system.queues_per_dimension, 3);
  EXPECT_EQ(system.dimension_order, DimensionOrder::themis_flex);
  EXPECT_EQ(system.queue_order, QueueOrder::fewest_phases_left);
  EXPECT_EQ(system.themis_gap_denominator, 5);
  EXPECT_TRUE(system.rendezvous);
  ASSERT_TRUE(system.shared_bus);
  EXPECT_EQ(system.shared_bus->latency_ns, 5);
  EXPECT_EQ(system.shared_bus->overhead_ns, 6);
  EXPECT_EQ(system.shared_bus->gap_ns, 7);
  EXPECT_EQ(system.shared_bus->gap_per_byte_ns, 0.25f);
  EXPECT_EQ(system.shared_bus->local_reduction_delay, 8);
  EXPECT_FALSE(read("chunks: 1").shared_bus);
  EXPECT_EQ(read("endpoint-delay: 1.5 ns").endpoint_delay, Time::from_ps(1500));
}

TEST(YamlSystem, default_algorithms_follow_the_topology) {
  const SystemConfig system = read("{}");
  EXPECT_EQ(
      system.algorithms_of(CollectiveKind::all_gather),
      (Choices{{&ring_algorithm}, {&direct_algorithm}, {&halving_doubling_algorithm}, {&ring_algorithm}}));
  EXPECT_EQ(system.algorithms_of(CollectiveKind::all_to_all),
            (Choices{{&ring_algorithm}, {&direct_algorithm}, {&direct_algorithm}, {&direct_algorithm}}));
}

TEST(YamlSystem, algorithms) {
  EXPECT_EQ(all_reduce("ring"), Choices(4, {&ring_algorithm}));
  EXPECT_EQ(all_reduce("direct:4"), Choices(4, {&direct_algorithm, 4}));
  EXPECT_EQ(all_reduce("{ algorithm: direct, window: 2 }"), Choices(4, {&direct_algorithm, 2}));
  EXPECT_EQ(all_reduce("{ algorithm: ring, span: machine }"), (Choices{{&ring_algorithm, 0, true}}));
  EXPECT_EQ(all_reduce("[{ algorithm: direct, window: 7, span: machine }]"),
            (Choices{{&direct_algorithm, 7, true}}));
  EXPECT_EQ(
      all_reduce("[ring, direct, {algorithm: direct, window: 2}, double-binary-tree]"),
      (Choices{
          {&ring_algorithm}, {&direct_algorithm}, {&direct_algorithm, 2}, {&double_binary_tree_algorithm}}));
  // The others keep their defaults.
  EXPECT_EQ(read("collectives: { all-reduce: ring }").algorithms_of(CollectiveKind::all_gather)[1],
            (AlgorithmChoice{&direct_algorithm}));
}

TEST(YamlSystem, bad_algorithms) {
  const auto error = [](const std::string& text) {
    return error_of("collectives: { all-reduce: " + text + " }");
  };
  EXPECT_EQ(error("[ring, ring]"),
            "x.yaml:1:28: error: `all-reduce` names 2 algorithms, the network has 4 dimensions; name one per "
            "dimension, or "
            "a single one without brackets for all");
  EXPECT_NE(error("rings").find("`algorithm` has to be `ring`, `direct`"), std::string::npos);
  EXPECT_NE(error("direct:0").find("`window` has to be a whole number from 1"), std::string::npos);
  EXPECT_NE(error("'direct:'").find("`window`"), std::string::npos);
  EXPECT_NE(error("ring:4").find("has no window"), std::string::npos);
  EXPECT_NE(error("{ window: 4 }").find("needs the key `algorithm`"), std::string::npos);
  EXPECT_NE(error("[ring, { algorithm: ring, span: machine }, ring, ring]").find("has to be the only one"),
            std::string::npos);
  EXPECT_NE(error_of("collectives: { allreduce: ring }").find("did you mean `all-reduce`?"),
            std::string::npos);
}

TEST(YamlSystem, endpoint_delay_is_scaled_as_the_dialect_does) {
  EXPECT_EQ(read("endpoint-delay: 7 ns", native_dialect, 2.5).endpoint_delay, Time::from_ps(17'500));
  EXPECT_EQ(read("endpoint-delay: 7 ns", astra_sim_1_dialect, 2.5).endpoint_delay, Time::from_ns(17));
  EXPECT_EQ(read("{}", native_dialect, 2.5).endpoint_delay, Time::from_ns(25));
  EXPECT_EQ(read("{}", astra_sim_1_dialect, 2.5).endpoint_delay, Time::from_ns(10));
  // 16'777'217 is no binary32 number.
  EXPECT_EQ(read("endpoint-delay: 16777217 ns", astra_sim_1_dialect).endpoint_delay,
            Time::from_ns(16'777'216));
  EXPECT_THROW(read("endpoint-delay: 700 h", native_dialect, 2), InputError);
}

TEST(YamlSystem, bad_values) {
  EXPECT_NE(error_of("chunks: 0").find("x.yaml:1:9: error: `chunks` has to be a whole number from 1"),
            std::string::npos);
  EXPECT_NE(error_of("endpoint-delay: 10").find("`10` has no unit"), std::string::npos);
  EXPECT_NE(error_of("rendezvous: yes").find("`rendezvous` has to be true or false, not `yes`"),
            std::string::npos);
  EXPECT_NE(error_of("scheduling: LIFO").find("`scheduling` has to be `lifo` or `fifo`"), std::string::npos);
  EXPECT_NE(error_of("shared-bus: { latency: 1.5 ns }").find("has to be whole nanoseconds"),
            std::string::npos);
  EXPECT_NE(error_of("shared-bus: { gap: 2 s }").find("at most 1 s"), std::string::npos);
  EXPECT_NE(error_of("shared-bus: { gap-per-byte: 0.01 }").find("write for example `0.01 ns/B`"),
            std::string::npos);
  EXPECT_NE(error_of("shared-bus: { gap-per-byte: -1 ns/B }").find("has to be a number from 0"),
            std::string::npos);
  EXPECT_NE(error_of("shared-bus: { gap-per-byte: ns/B }").find("has to be a number from 0"),
            std::string::npos);
  EXPECT_NE(error_of("chunk: 4").find("did you mean `chunks`?"), std::string::npos);
}

}  // namespace
}  // namespace orrery::core::yaml_system_test
