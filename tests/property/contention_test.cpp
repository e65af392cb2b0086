// Tests what contention at the endpoint does to random runs (docs/models/contention.md):
// no computation and no collective by itself is faster by it. A step may be, as after any change of order
// (Graham, "Bounds on multiprocessing timing anomalies", 1969), but hardly ever is. ORRERY_TEST_LONG=1 tries
// many more.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.hpp"
#include "orrery/experiment.hpp"
#include "simulate/run/simulation.hpp"
#include "study/workloads/transformer/training_step.hpp"
#include "support/experiment_folder.hpp"
#include "support/random_graph_run.hpp"
#include "support/random_training.hpp"
#include "support/training_platform.hpp"
#include "workload/training/step/training_program.hpp"

namespace orrery::core::test::contention_property_test {
namespace {

std::string dimension(Random& random) {
  const std::vector<std::string> blocks{"ring", "switch", "fully-connected"};
  return fmt::format("{{ topology: {}, size: {}, links: 6, bandwidth: {} GB/s, latency: {} ns }}",
                     random.pick(blocks), random.between(2, 4), random.between(2, 60),
                     random.between(0, 2000));
}

std::string one_dimension(Random& random) {
  return "[ " + dimension(random) + " ]";
}

std::string network_of(Random& random) {
  if (random.chance(30)) return random_graph_text(random);
  if (random.chance(50)) return one_dimension(random);
  const std::string inner = dimension(random);
  return "[ " + inner + ", " + dimension(random) + " ]";
}

// Whether collectives may overtake one another.
enum class Order { fixed, any };

std::string system_of(Random& random, Order order) {
  if (order == Order::fixed) return "{ scheduling: fifo }";
  return fmt::format("{{ chunks: {}, scheduling: {}, active-chunks-per-dimension: {} }}",
                     random.between(1, 4), random.chance(50) ? "fifo" : "lifo", random.between(1, 3));
}

// Returns an experiment of the same run on a device whose collectives take processors, and on one that has
// engines for them.
std::string experiment_of(std::uint64_t seed, Order order) {
  Random random(seed);
  const std::vector<std::string> models{"lenet224", "lenet5", "alexnet", "googlenet", "resnet50"};
  const std::vector<std::string> devices{"v100", "a100", "h100", "mi300x"};
  const std::string device = random.pick(devices);
  const std::string buckets =
      random.chance(50) ? fmt::format(", gradient-buckets: {{ size: {} MiB }}", random.between(1, 60)) : "";
  return fmt::format(
      "network: {}\nsystem: {}\nworkload: {{ model: {}, batch: {}{} }}\npasses: {}\n"
      "runs:\n  - {{ name: free, device: {{ base: {}, collective-processors: 0 }} }}\n"
      "  - {{ name: contended, device: {} }}\n",
      order == Order::fixed ? one_dimension(random) : network_of(random), system_of(random, order),
      random.pick(models), 1 << random.between(0, 6), buckets, random.between(1, 2), device, device);
}

struct Times {
  Time step, compute, contention;
};

Times run_of(const orrery::Run& run) {
  const auto time = [](orrery::Time of) { return Time::from_ps(of.picoseconds()); };
  return {time(run.time()), time(run.breakdown().compute), time(run.breakdown().contention)};
}

struct Counts {
  int runs = 0, contended = 0, faster = 0;
};

// Simulates random runs with contention and without it.
Counts compared(Order order, const Seeds& seeds) {
  Counts counts;
  for (std::uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    const std::string text = experiment_of(seed, order);
    const auto experiment = orrery::Experiment::from(orrery::Document::parse(text).value());
    EXPECT_TRUE(experiment.ok()) << text;
    if (!experiment.ok()) return counts;
    const orrery::Runs both = experiment.value().simulate();
    if (!both[0].ok() || !both[1].ok()) continue;
    const Times free = run_of(both[0]), contended = run_of(both[1]);
    ++counts.runs;
    EXPECT_EQ(free.contention, Time()) << text;
    EXPECT_GE(contended.compute, free.compute) << text;
    // The nanosecond that a layer adds to its collective counts as compute or not by what it meets.
    constexpr double of_delays_ps = 100'000;
    EXPECT_NEAR(static_cast<double>(contended.contention.ps()),
                static_cast<double>((contended.compute - free.compute).ps()), of_delays_ps)
        << text;
    if (contended.contention > Time()) ++counts.contended;
    if (contended.step < free.step) ++counts.faster;
  }
  return counts;
}

TEST(ContentionProperty, NothingIsFasterWhereCollectivesKeepTheirOrder) {
  const Counts counts = compared(Order::fixed, seeds_to_try(200));
  EXPECT_EQ(counts.faster, 0);
  EXPECT_GT(counts.contended, counts.runs / 2);
}

TEST(ContentionProperty, StepsAreHardlyEverFaster) {
  const Counts counts = compared(Order::any, seeds_to_try(200));
  EXPECT_LE(counts.faster, 1 + counts.runs / 50) << counts.runs;
  EXPECT_GT(counts.contended, counts.runs / 2);
}

TrainingSetup with_engines(TrainingSetup setup) {
  setup.contended.reset();
  return setup;
}

TEST(ContentionProperty, TransformersComputeLonger) {
  Counts counts;
  const Seeds seeds = seeds_to_try(400);
  for (std::uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    const TrainingSetup setup = random_training(seed);
    if (!setup.contended) continue;
    SCOPED_TRACE(describe(setup));
    const TrainingResult free = simulate_training_step(with_engines(setup)),
                         contended = simulate_training_step(setup);
    ++counts.runs;
    const double rounding = 1e-9 * contended.step.ns() + 0.01;
    ASSERT_EQ(free.time.contention, Time());
    ASSERT_GE(contended.time.compute.ns(), free.time.compute.ns() - rounding);
    if (setup.stack.host_time_per_operator == Time()) {
      ASSERT_NEAR(contended.time.contention.ns(), (contended.time.compute - free.time.compute).ns(),
                  rounding);
    }
    if (contended.time.contention > Time()) ++counts.contended;
    if (contended.step.ns() < free.step.ns() - rounding) ++counts.faster;
  }
  EXPECT_LE(counts.faster, counts.runs / 1000);
  EXPECT_GT(counts.contended, counts.runs / 4);
}

bool is_work(OperationKind kind) {
  return kind == OperationKind::compute || kind == OperationKind::collective;
}

// Returns what computations and collectives take, in their order.
std::vector<Time> times_of_work(const TrainingSetup& setup) {
  const StageCosts costs(setup);
  const Program program = training_program(setup, costs, PassDetail::operators);
  const Machine machine = platform_of(setup);
  const Recording recording = simulate(program, machine, plan_simulation(program, machine));
  std::vector<Time> times;
  for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
    const std::vector<Interval>& operations = recording.lowest_of(part).operations;
    for (ExecutionGraph::Id id = 0; id < operations.size(); ++id)
      if (is_work(program.parts[part].graph.kind(id)))
        times.push_back(operations[id].end - operations[id].start);
  }
  return times;
}

TEST(ContentionProperty, NoOperatorAndNoCollectiveOfTransformersIsFaster) {
  std::size_t compared = 0, longer = 0;
  const Seeds seeds = seeds_to_try(200);
  for (std::uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    const TrainingSetup setup = random_training(seed);
    if (!setup.contended || setup.plan.micro_batches() * setup.model.layers > 300) continue;
    SCOPED_TRACE(describe(setup));
    const std::vector<Time> free = times_of_work(with_engines(setup)), contended = times_of_work(setup);
    ASSERT_EQ(free.size(), contended.size());
    for (std::size_t i = 0; i < free.size(); ++i) {
      ASSERT_GE(contended[i], free[i]) << i;
      if (contended[i] > free[i]) ++longer;
    }
    compared += free.size();
  }
  EXPECT_GT(compared, 10'000u);
  EXPECT_GT(longer, compared / 100);
}

}  // namespace
}  // namespace orrery::core::test::contention_property_test
