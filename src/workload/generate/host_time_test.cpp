#include "workload/generate/host_time.hpp"

#include <gtest/gtest.h>

namespace orrery::core::host_time_test {
namespace {

Time ns(std::int64_t time) {
  return Time::from_ns(time);
}

// Three layers, the second without gradients, for 8 samples.
LayerTable host_table(const HostTimes& host) {
  LayerTable table;
  table.layers.resize(3);
  for (Layer& layer : table.layers) {
    layer.forward.compute = layer.input_gradient.compute = layer.weight_gradient.compute = ns(10);
    layer.weight_gradient.collective = CollectiveKind::all_reduce;
    layer.weight_gradient.size = Bytes(4);
  }
  table.layers[1].weight_gradient.collective.reset();
  table.layers[2].arrays = 3;
  table.samples = 8;
  table.host = host;
  return table;
}

TEST(HostTime, IsSpentOnEveryNpuInTurn) {
  const LayerTable table = with_host_time(host_table({.batch = ns(7), .sample = ns(2), .metric = ns(3)}), 4);
  EXPECT_EQ(table.layers[0].forward.awaits_host, ns(7 + 4 * 8 * 2));
  EXPECT_EQ(table.layers[1].forward.awaits_host, Time());
  EXPECT_EQ(table.layers[0].forward.compute, ns(10));
  EXPECT_EQ(table.evaluation, ns(4 * 3));
}

TEST(HostTime, OfExchangesGoesByArraysOrBuckets) {
  LayerTable given = host_table({.call = ns(7), .exchange = ns(5)});
  const LayerTable arrays = with_host_time(given, 4);
  EXPECT_EQ(arrays.layers[0].host_calls, ns(4 * 7 + 3 * 5));
  EXPECT_EQ(arrays.layers[1].host_calls, Time());
  EXPECT_EQ(arrays.layers[2].host_calls, ns(3 * (4 * 7 + 3 * 5)));
  given.gradient_buckets.emplace();  // the first layer completes the only one
  const LayerTable bucket = with_host_time(given, 4);
  EXPECT_EQ(bucket.layers[0].host_calls, ns(4 * 7 + 3 * 5));
  EXPECT_EQ(bucket.layers[2].host_calls, ns(3 * 4 * 7));
}

TEST(HostTime, OfAHostWithFewerNpusThanTheMachine) {
  const HostTimes host{.sample = ns(2), .exchange = ns(5), .npus = 2};
  const LayerTable table = with_host_time(host_table(host), 64);
  EXPECT_EQ(table.layers[0].forward.awaits_host, ns(2 * 8 * 2));
  EXPECT_EQ(table.layers[0].host_calls, ns(5));
  EXPECT_EQ(with_host_time(host_table(host), 1).layers[0].host_calls, Time());
}

// Steps take 10 ns. Launches for two NPUs take 2 * 2 ns, ahead of what is computed: only the first shows.
TEST(HostTime, OfLaunchesShowsAtTheBeginning) {
  const LayerTable table = with_host_time(host_table({.kernel = ns(2)}), 2);
  EXPECT_EQ(table.layers[0].forward.awaits_host, ns(4));
  EXPECT_EQ(table.layers[1].forward.awaits_host, Time());
  EXPECT_EQ(table.layers[2].weight_gradient.awaits_host, Time());
}

// Launches of three kernels take 3 * 8 * 2 ns, and the last of the kernels a third of a step.
TEST(HostTime, OfLaunchesBoundsWhatIsComputedQuickly) {
  LayerTable given = host_table({.kernel = ns(2)});
  for (Layer& layer : given.layers)
    for (LayerStep* step : {&layer.forward, &layer.input_gradient, &layer.weight_gradient}) {
      step->compute = ns(12);
      step->kernels = 3;
    }
  const LayerTable table = with_host_time(given, 8);
  EXPECT_EQ(table.layers[0].forward.awaits_host, ns(3 * 8 * 2 + 12 / 3 - 12));
  EXPECT_EQ(table.layers[1].forward.awaits_host, ns(3 * 8 * 2 - 12));
}

TEST(HostTime, TooMuchIsAnError) {
  EXPECT_THROW(with_host_time(host_table({.sample = Time::longest_input()}), 2), InputError);
}

}  // namespace
}  // namespace orrery::core::host_time_test
