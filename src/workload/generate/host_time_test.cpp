#include "workload/generate/host_time.hpp"

#include <gtest/gtest.h>

namespace orrery::core::host_time_test {
namespace {

// Three layers, the second without gradients, for 8 samples.
LayerTable host_table(int npus_of_host) {
  LayerTable table;
  table.layers.resize(3);
  for (Layer& layer : table.layers) {
    layer.forward.compute = layer.input_gradient.compute = layer.weight_gradient.compute = Time::from_ns(10);
    layer.weight_gradient.collective = CollectiveKind::all_reduce;
    layer.weight_gradient.size = Bytes(4);
  }
  table.layers[1].weight_gradient.collective.reset();
  table.layers[2].arrays = 3;
  table.samples = 8;
  table.host = HostTimes{Time::from_ns(2), Time::from_ns(5), npus_of_host, {}};
  return table;
}

TEST(HostTime, IsSpentOnEveryNpuInTurn) {
  const LayerTable table = with_host_time(host_table(0), 4);
  EXPECT_EQ(table.layers[0].forward.compute, Time::from_ns(10 + 4 * 8 * 2));
  EXPECT_EQ(table.layers[1].forward.compute, Time::from_ns(10));
  EXPECT_EQ(table.layers[0].weight_gradient.compute, Time::from_ns(10 + 3 * 5));
  EXPECT_EQ(table.layers[1].weight_gradient.compute, Time::from_ns(10));
  EXPECT_EQ(table.layers[2].weight_gradient.compute, Time::from_ns(10 + 3 * 3 * 5));
  EXPECT_EQ(table.layers[2].input_gradient.compute, Time::from_ns(10));
}

TEST(HostTime, OfAHostWithFewerNpusThanTheMachine) {
  const LayerTable table = with_host_time(host_table(2), 64);
  EXPECT_EQ(table.layers[0].forward.compute, Time::from_ns(10 + 2 * 8 * 2));
  EXPECT_EQ(table.layers[0].weight_gradient.compute, Time::from_ns(10 + 5));
  EXPECT_EQ(with_host_time(host_table(2), 1).layers[0].weight_gradient.compute, Time::from_ns(10));
}

TEST(HostTime, TooMuchIsAnError) {
  LayerTable table = host_table(0);
  table.host->sample = Time::longest_input();
  EXPECT_THROW(with_host_time(table, 2), InputError);
}

}  // namespace
}  // namespace orrery::core::host_time_test
