// Tests what holds for every run, on random inputs. ORRERY_TEST_LONG=1 tries many more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "report/statistics/statistics.hpp"
#include "report/summary/summary.hpp"
#include "study/run/run.hpp"
#include "support/random_run.hpp"

namespace orrery::core::test::run_properties_test {
namespace {

std::uint64_t seeds() {
  return std::getenv("ORRERY_TEST_LONG") ? 20'000 : 400;
}

RunResult run(const RunSpec& spec) {
  Warnings warnings;
  return carry_out(spec, warnings);
}

bool counts_binary64_nanoseconds(const RunSpec& spec) {
  return spec.dialect.whole_nanoseconds &&
         std::any_of(spec.topology->dimensions.begin(), spec.topology->dimensions.end(),
                     [](const Dimension& dimension) { return dimension.hbm_scale > 0; });
}

class RunProperties : public testing::TestWithParam<Dialect> {};

// Reaching the end is a property too: a stall throws.
TEST_P(RunProperties, EveryRunEndsAndItsTimesAddUp) {
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    const RunSpec spec = random_run(seed, GetParam());
    RunResult result;
    ASSERT_NO_THROW(result = run(spec)) << describe(spec);
    const Summary summary = summarize(spec.name, spec.passes, result.program, result.machine,
                                      result.recording, breakdown_of(result.program, result.recording));
    ASSERT_EQ(summary.total, summary.time.sum()) << describe(spec);
    Time exposed, hops;
    for (const LayerSummary& layer : summary.layers) {
      exposed += layer.exposed;
      ASSERT_LE(layer.exposed, layer.communication) << describe(spec);
    }
    const ExecutionGraph& graph = result.program.parts[0].graph;
    for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
      if (graph[id].kind == OperationKind::transition) hops += graph[id].duration;
    }
    // Every moment is compute, a step between states, or a wait that is charged to some layer. (On the
    // binary64 clock an operation that starts at a fraction of a nanosecond can seem one nanosecond longer
    // than it is.)
    if (counts_binary64_nanoseconds(spec)) continue;
    // Means of layers are cut to whole picoseconds.
    const Time rest = summary.time.exposed - exposed - hops;
    ASSERT_GE(rest, Time()) << describe(spec);
    const std::size_t most = result.breakdown.classes.size() == 1 ? 0 : summary.layers.size() + 3;
    ASSERT_LE(rest, Time::from_ps(static_cast<std::int64_t>(most))) << describe(spec);
  }
}

TEST_P(RunProperties, IssueOrderDoesNotChangeWhatIsSent) {
  for (std::uint64_t seed = 0; seed < seeds() / 4; ++seed) {
    RunSpec spec = random_run(seed, GetParam());
    // Themis looks at the loads at the time of issue, which the order changes.
    if (spec.system->dimension_order == DimensionOrder::themis ||
        spec.system->dimension_order == DimensionOrder::themis_flex) {
      spec.system.edit().dimension_order = DimensionOrder::round_robin;
    }
    spec.system.edit().issue_order = IssueOrder::lifo;
    const Recording lifo = run(spec).recording;
    spec.system.edit().issue_order = IssueOrder::fifo;
    const Recording fifo = run(spec).recording;
    ASSERT_EQ(lifo.phases_of(0)->payload, fifo.phases_of(0)->payload) << describe(spec);
    ASSERT_EQ(lifo.messages, fifo.messages) << describe(spec);
  }
}

TEST_P(RunProperties, RepeatedRunsAreIdentical) {
  for (std::uint64_t seed = 0; seed < seeds() / 10; ++seed) {
    const RunSpec spec = random_run(seed, GetParam());
    const Recording first = run(spec).recording, second = run(spec).recording;
    ASSERT_EQ(first.finish, second.finish) << describe(spec);
    ASSERT_EQ(first.events, second.events) << describe(spec);
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, RunProperties, testing::Values(native_dialect, astra_sim_1_dialect),
                         [](const auto& instance) {
                           return instance.param.name == "native" ? "native" : "astra_sim_1";
                         });

}  // namespace
}  // namespace orrery::core::test::run_properties_test
