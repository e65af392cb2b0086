// Without contention, the bytes of links are worked out from schedules; with contention they are counted
// message by message. Both agree on random runs. ORRERY_TEST_LONG=1 tries many more.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "report/network/link_report.hpp"
#include "report/statistics/statistics.hpp"
#include "study/run/run.hpp"
#include "support/random_run.hpp"

namespace orrery::core::test::links_test {
namespace {

std::uint64_t seeds() {
  return std::getenv("ORRERY_TEST_LONG") ? 10'000 : 200;
}

// The number of links of each dimension that carry so much.
using Carried = std::map<std::pair<int, LinkLoad>, std::uint64_t>;
Carried carried(const Recording& recording) {
  Carried links;
  for (const LinkUse& use : recording.links) links[{use.dimension, use.load}] += use.links;
  return links;
}

Recording recording_of(RunSpec spec, NetworkModel model) {
  Warnings warnings;
  spec.network.model = model;
  return carry_out(spec, warnings).recording;
}

// Returns whether the run uses Themis, whose way of cutting chunks depends on when collectives are issued.
bool uses_themis(const RunSpec& spec) {
  return spec.system->dimension_order == DimensionOrder::themis ||
         spec.system->dimension_order == DimensionOrder::themis_flex;
}

class Links : public testing::TestWithParam<Dialect> {};

TEST_P(Links, CarryTheSameInAllNetworkModels) {
  std::size_t some = 0;
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    RunSpec spec = random_run(seed, GetParam());
    if (uses_themis(spec)) continue;
    if (seed % 2 != 0) vary_ranks(spec, seed);
    const NetworkModel shared = seed % 3 == 0 && !GetParam().whole_nanoseconds ? &fluid_model : &link_model;
    const Recording link = recording_of(spec, shared);
    const Recording free = recording_of(spec, &analytical_model);
    ASSERT_EQ(carried(link), carried(free)) << describe(spec);
    ASSERT_EQ(link.messages, free.messages) << describe(spec);
    if (!shared->make_folded) {
      EXPECT_FALSE(link.folded);
    }
    const auto busiest = busiest_links(link.links, *spec.topology, link.end());
    for (const BusiestLinks& links : busiest) ASSERT_LE(links.utilization, 1) << describe(spec);
    some += busiest.empty() ? 0 : 1;
  }
  EXPECT_GT(some, seeds() / 4);
}

TEST_P(Links, AreDeterministic) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RunSpec spec = random_run(seed, GetParam());
    const NetworkModel shared = seed % 2 == 0 && !GetParam().whole_nanoseconds ? &fluid_model : &link_model;
    const Recording a = recording_of(spec, shared), b = recording_of(spec, shared);
    EXPECT_EQ(a.finish, b.finish);
    EXPECT_EQ(a.events, b.events);
    EXPECT_EQ(csv_text(links_rows(a.links, *spec.topology, a.end())),
              csv_text(links_rows(b.links, *spec.topology, b.end())));
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, Links, testing::Values(native_dialect, astra_sim_1_dialect),
                         [](const auto& instance) {
                           return instance.param.name == "native" ? "native" : "astra_sim_1";
                         });

}  // namespace
}  // namespace orrery::core::test::links_test
