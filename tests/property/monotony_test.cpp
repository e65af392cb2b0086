// On random native machines, in both network models: no link carries more than it can, and a run does not end
// later on a machine that has more bandwidth, less latency or a faster device. ORRERY_TEST_LONG=1 tries many
// more.
//
// The second is no law of schedules: where what comes first goes first, something that comes earlier may go
// in between and delay what matters more (Graham, "Bounds on multiprocessing timing anomalies", 1969).
// docs/dialects.md says where that happens, and how much it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "report/statistics/statistics.hpp"
#include "study/run/run.hpp"
#include "support/random_run.hpp"

namespace orrery::core::test::monotony_test {
namespace {

std::uint64_t seeds() {
  return std::getenv("ORRERY_TEST_LONG") ? 100'000 : 400;
}

RunResult run(const RunSpec& spec) {
  Warnings warnings;
  return carry_out(spec, warnings);
}

// A link may be busy for the whole run, and every message's time is rounded to a picosecond.
void expect_possible_links(const RunSpec& spec, const Recording& recording) {
  const Time end = recording.end();
  for (const LinkUse& link : recording.links)
    ASSERT_LE(link.busy, end + Time::from_ps(static_cast<std::int64_t>(link.load.messages)))
        << link.from << " to " << link.to << "\n"
        << describe(spec);
}

// Takes turns with the models from seed to seed.
RunSpec native_run(std::uint64_t seed, const std::vector<NetworkModel>& models) {
  RunSpec spec = random_run(seed, native_dialect);
  if (seed % 3 == 0) vary_ranks(spec, seed);
  spec.network.model = models[seed % models.size()];
  return spec;
}

TEST(Monotony, NoLinkCarriesMoreThanItCanSlow) {
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    const RunSpec spec = native_run(seed, {&link_model, &analytical_model, &fluid_model});
    expect_possible_links(spec, run(spec).recording);
    if (HasFatalFailure()) return;
  }
}

// Collectives go first in, first out.
void keep_in_order(RunSpec& spec) {
  spec.system.edit().issue_order = IssueOrder::fifo;
  spec.system.edit().queue_order = QueueOrder::fifo;
  spec.system.edit().dimension_order = DimensionOrder::ascending;
}

// DLRM's policies let an all-to-all go ahead of what waits.
bool overtakes(const ExecutionGraph& graph) {
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id)
    if (graph[id].collective.urgent) return true;
  return false;
}

// In a single dimension with a single queue nothing can come in between. Where messages queue for links or
// for a memory bus, this holds only if messages of several chunks cannot meet either.
bool has_one_queue(const RunSpec& spec, const RunResult& result) {
  const bool messages_queue = spec.network.model->carries_collectives || spec.system->shared_bus;
  const bool messages_meet = messages_queue && spec.system->active_chunks > 1;
  return spec.system->queues_per_dimension == 1 && !messages_meet && !result.split &&
         !overtakes(result.program.parts[0].graph) &&
         std::count_if(spec.topology->dimensions.begin(), spec.topology->dimensions.end(),
                       [](const Dimension& dimension) { return dimension.size > 1; }) <= 1;
}

// The same run with one thing improved: in turn bandwidth and latency of a dimension, and all devices.
std::vector<RunSpec> better_runs(const RunSpec& spec, std::uint64_t seed) {
  std::vector<RunSpec> better(3, spec);
  const std::size_t d = seed % spec.topology->dimensions.size();
  const Bandwidth bandwidth = spec.topology->dimensions[d].link_bandwidth;
  better[0].topology.edit().dimensions[d].link_bandwidth =
      Bandwidth::from_gib_per_s(bandwidth.gib_per_s() * 1.5);
  better[1].topology.edit().dimensions[d].link_latency_ns /= 2;
  better[2].compute_scale /= 2;
  return better;
}

// A run is improved in three ways, and at most one improvement in `rare` makes it slower.
void expect_hardly_ever_slower(const std::vector<NetworkModel>& models, std::uint64_t rare) {
  std::uint64_t faster = 0, slower = 0;
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    RunSpec spec = native_run(seed, models);
    keep_in_order(spec);
    const RunResult result = run(spec);
    const Time before = result.recording.end();
    for (const RunSpec& better : better_runs(spec, seed)) {
      const Time after = run(better).recording.end();
      if (has_one_queue(spec, result)) {
        ASSERT_LE(after, before) << describe(spec) << describe(better);
      }
      // An urgent collective of few bytes may take slots that a large one would have had, and keep them for
      // long.
      const double most = overtakes(result.program.parts[0].graph) ? 2 : 1.5;
      ASSERT_LE(after.ns(), most * before.ns()) << describe(spec) << describe(better);
      faster += after < before ? 1 : 0;
      slower += after > before ? 1 : 0;
    }
  }
  EXPECT_GT(faster, seeds());
  EXPECT_LT(slower, 3 * seeds() / rare);
}

TEST(Monotony, MoreIsHardlyEverSlowerSlow) {
  expect_hardly_ever_slower({&link_model, &analytical_model}, 150);
}

TEST(Monotony, MoreIsHardlyEverSlowerForFlowsSlow) {
  expect_hardly_ever_slower({&fluid_model}, 75);
}

}  // namespace
}  // namespace orrery::core::test::monotony_test
