// Collectives that switches add up, against closed forms (docs/models/collectives.md, Reduction in switches).
//
// In them there are n NPUs, D is the endpoint delay, L the latency of a message through the switch, B the
// bandwidth of an NPU's link, and S what each NPU has before the collective.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "support/one_collective.hpp"

namespace orrery::core::test::in_network_test {
namespace {

using enum CollectiveKind;

constexpr double delay = 10, latency = 200, bytes_per_ns = 2;

Machine switched(AlgorithmChoice algorithm, int n, NetworkModel model = &analytical_model) {
  Dimension dimension =
      make_dimension(Block::switched, n, 1, Bandwidth::from_gb_per_s(bytes_per_ns), latency / 2);
  Machine machine = make_machine({dimension}, {algorithm}, native_dialect);
  machine.network.model = model;
  return machine;
}

const NetworkModel models[] = {&analytical_model, &link_model, &fluid_model};

void expect(AlgorithmChoice algorithm, CollectiveKind kind, int n, double size, double longest) {
  for (const NetworkModel model : models) {
    const Recording recording =
        simulate_one(switched(algorithm, n, model), kind, Bytes(static_cast<std::uint64_t>(size)));
    EXPECT_NEAR(recording.end().ns(), 2 * delay + latency + longest / bytes_per_ns, 0.01)
        << name_of(kind) << " over " << n << " by " << algorithm.algorithm->name << ", " << model->name;
    for (const LinkUse& link : recording.links) EXPECT_LE(link.busy, recording.end()) << link.from;
  }
}

// Each link carries all bytes of an all-reduce once in each direction; it sends all bytes up in a
// reduce-scatter, and gets all of them in an all-gather.
TEST(InNetwork, TakesWhatTheClosedFormsSay) {
  constexpr double size = 720'000;
  for (const int n : {2, 3, 4, 8}) {
    const AlgorithmChoice sharp{&sharp_algorithm}, nvls{&nvls_algorithm};
    expect(sharp, all_reduce, n, size, size);
    expect(sharp, reduce_scatter, n, size, size);
    expect(sharp, all_gather, n, size / n, size);
    expect(sharp, broadcast, n, size, size);
    expect(sharp, reduce, n, size, size);
    expect(sharp, barrier, n, 8, 8);
    expect(nvls, all_reduce, n, size, size * (n + 1) / n);
    expect(nvls, reduce_scatter, n, size, size);
    expect(nvls, all_gather, n, size / n, size);
  }
}

// Two NPUs send each other no more in a ring than to the switch.
TEST(InNetwork, OfTwoMovesAsMuchAsARing) {
  const auto carried = [](AlgorithmChoice algorithm) {
    const Recording recording = simulate_one(switched(algorithm, 2), all_reduce, Bytes(1'000'000));
    std::uint64_t sum = 0;
    for (const LinkUse& link : recording.links) sum += link.links * link.load.bytes.count();
    return sum;
  };
  EXPECT_EQ(carried({&sharp_algorithm}), 4'000'000U);
  EXPECT_EQ(carried({&ring_algorithm}), 4'000'000U);
}

TEST(InNetwork, WaitsForTheUnitsOfTheSwitch) {
  AlgorithmChoice slow{&sharp_algorithm};
  slow.switch_bytes_per_s = 0.5e9;
  for (const NetworkModel model : models)
    EXPECT_NEAR(simulate_one(switched(slow, 4, model), all_reduce, Bytes(100'000)).end().ns(),
                2 * delay + latency + 100'000 / 0.5, 0.01);
  EXPECT_NEAR(simulate_one(switched(slow, 4), all_gather, Bytes(25'000)).end().ns(),
              2 * delay + latency + 100'000 / bytes_per_ns, 0.01);
}

// The sum is not there before the last member's data.
TEST(InNetwork, AllWaitForTheSlowestLink) {
  Machine machine = switched({&sharp_algorithm}, 4, &fluid_model);
  machine.network.slow_links = {{.dimension = 0, .npus = {2}, .slowdown = 2}};
  const Recording recording = simulate_one(machine, all_reduce, Bytes(100'000));
  for (const Time finish : recording.finish)
    EXPECT_NEAR(finish.ns(), 2 * delay + latency + 2 * 100'000 / bytes_per_ns, 0.01);
}

Recording recording_of(const std::string& text) {
  Warnings warnings;
  const Experiment experiment =
      read_experiment(text, "e.yaml", {}, warnings, [](const std::string&) { return std::string(); });
  RunResult result = carry_out(experiment.runs.at(0), warnings);
  EXPECT_TRUE(warnings.lines().empty());
  return std::move(result.recording);
}
Time time_of(const std::string& text) {
  return recording_of(text).end();
}

const std::string all_reduce_of_8_mb =
    "workload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 8 MB } } ] }\n";

// Of a reduce-scatter and an all-gather in the first dimension, each fills one direction of the links. Cut
// into chunks, both go on at the same time.
TEST(InNetwork, FillsBothDirectionsInTwoDimensions) {
  const auto text = [](int chunks, int at_once) {
    return all_reduce_of_8_mb +
           fmt::format(
               "network:\n"
               "  - {{ topology: switch, size: 8, bandwidth: 100 GB/s, latency: 100 ns }}\n"
               "  - {{ topology: switch, size: 4, bandwidth: 50 GB/s, latency: 100 ns }}\n"
               "system: {{ collectives: {{ all-reduce: [nvls, sharp] }}, chunks: {}, "
               "active-chunks-per-dimension: {}, queue-order: fewest-phases-left }}\n",
               chunks, at_once);
  };
  const double once = 8e6 / 100, outside = 8e6 / 8 / 50;  // ns
  EXPECT_NEAR(time_of(text(1, 1)).ns(), 2 * once + outside + 3 * (2 * delay + 200), 1);
  EXPECT_LT(time_of(text(32, 4)).ns(), 1.4 * once);
  EXPECT_GT(time_of(text(32, 4)).ns(), once * (1 + 1 / 8.0));
}

std::string fat_tree(const std::string& algorithm, bool reduction) {
  return all_reduce_of_8_mb +
         fmt::format(
             "network: {{ build: fat-tree, link: {{ bandwidth: 50 GB/s, latency: 500 ns }}, reduction: {}, "
             "levels: [ {{ size: 4 }}, {{ size: 4 }} ] }}\n"
             "system: {{ collectives: {{ all-reduce: {{ algorithm: {}, span: machine }} }} }}\n",
             reduction, algorithm);
}

// Four leaves below a spine: there and back a message passes four links, and every link carries the bytes
// once in each direction.
TEST(InNetwork, GoesUpAndDownATreeOfSwitches) {
  const Recording recording = recording_of(fat_tree("sharp", true));
  EXPECT_NEAR(recording.end().ns(), 2 * delay + 4 * 500 + 8e6 / 50, 0.01);
  for (const LinkUse& link : recording.links)
    if (link.load.bytes > Bytes()) {
      EXPECT_EQ(link.load.bytes, Bytes(8'000'000)) << link.from << " " << link.to;
    }
  EXPECT_LT(recording.end(), time_of(fat_tree("ring", false)));
}

}  // namespace
}  // namespace orrery::core::test::in_network_test
