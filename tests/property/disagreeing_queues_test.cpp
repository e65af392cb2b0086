// A phase that ends in the very nanosecond in which a collective is issued must not make ranks disagree about
// the order in a queue: they would wait for each other for ever, as ASTRA-sim 1.0 does here
// (docs/models/chunk-flow.md, Flow with a barrier).
#include <gtest/gtest.h>

#include <memory>

#include "study/run/run.hpp"
#include "support/layers.hpp"

namespace orrery::core::test::disagreeing_queues_test {
namespace {

Layer layer(const char* name, std::int64_t forward_ns, LayerStep input_gradient, LayerStep weight_gradient,
            std::int64_t delay_ns) {
  Layer made;
  made.name = name;
  made.forward.compute = Time::from_ns(forward_ns);
  made.input_gradient = input_gradient;
  made.weight_gradient = weight_gradient;
  made.delay = Time::from_ns(delay_ns);
  return made;
}

LayerStep step(std::int64_t ns, std::optional<CollectiveKind> collective = {}, std::uint64_t bytes = 0) {
  return {Time::from_ns(ns), collective, false, Bytes(bytes)};
}

TEST(DisagreeingQueues, IssueInTheInstantOfABarrierDoesNotStall) {
  RunSpec spec;
  spec.dialect = astra_sim_1_dialect;
  Dimension ring;
  ring.size = 16;
  ring.links = 6;
  ring.link_latency_ns = 700;
  ring.link_bandwidth = Bandwidth::from_gib_per_s(50);
  spec.topology.edit().dimensions = {ring};
  spec.system.edit().issue_order = IssueOrder::fifo;
  spec.system.edit().dimension_order = DimensionOrder::themis_flex;
  spec.system.edit().queue_order = QueueOrder::smallest_first;
  spec.system.edit().chunks = 4;
  spec.system.edit().queues_per_dimension = 2;
  spec.system.edit().endpoint_delay = Time::from_ns(37);
  spec.system.edit().algorithms = {std::vector{AlgorithmChoice{&halving_doubling_algorithm}},
                                   std::vector{AlgorithmChoice{&double_binary_tree_algorithm}},
                                   std::vector{AlgorithmChoice{&ring_algorithm}},
                                   std::vector{AlgorithmChoice{&double_binary_tree_algorithm}}};
  LayerTable table;
  table.layers = {
      layer("layer0", 3429, step(8287), step(17, CollectiveKind::all_reduce, 294), 100),
      layer("layer1", 3429, step(1), step(21718, CollectiveKind::all_reduce, 1048588), 1),
      layer("layer2", 0, step(1), step(1, CollectiveKind::all_to_all, 66035), 100),
      layer("layer3", 17, step(1), step(1), 0),
  };
  spec.workload = std::make_shared<const LayerTableWorkload>(std::move(table));
  Warnings warnings;
  EXPECT_EQ(carry_out(spec, warnings).recording.finish[0], Time::from_ns(174'528));
}

}  // namespace
}  // namespace orrery::core::test::disagreeing_queues_test
