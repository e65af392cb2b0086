// Tests whether more is ever slower on random networks that are graphs. Messages that wait for others and
// share links make it possible: where a message ends earlier, the next one begins earlier, and takes its
// share of a link from one that matters more (Graham, "Bounds on multiprocessing timing anomalies", 1969). So
// there are cases in which it cannot happen, and in all others it is rare and small.
// docs/models/network-fluid.md has the figures. ORRERY_TEST_LONG=1 tries many more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "study/run/run.hpp"
#include "support/random_graph_run.hpp"
#include "topology/graph/changes/failures.hpp"
#include "topology/graph/changes/link_changes.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core::test::graph_monotony_test {
namespace {

std::uint64_t seeds(std::uint64_t usual) {
  return std::getenv("ORRERY_TEST_LONG") ? 20 * usual : usual;
}

Recording recording_of(const RunSpec& spec) {
  Warnings warnings;
  return carry_out(spec, warnings).recording;
}

Time end_of(const RunSpec& spec) {
  return recording_of(spec).end();
}

Bandwidth times(double factor, Bandwidth bandwidth) {
  return Bandwidth::from_gb_per_s(factor * bandwidth.bytes_per_ns());
}

// The same run with one thing improved, which may be one link.
struct Improvement {
  const char* name;
  RunSpec (*of)(const RunSpec& spec, LinkId one);
};
const Improvement improvements[] = {
    {"all bandwidths",
     [](const RunSpec& spec, LinkId) {
       return with_links(spec,
                         [](LinkId, LinkProperties& link) { link.bandwidth = times(2, link.bandwidth); });
     }},
    {"a bandwidth",
     [](const RunSpec& spec, LinkId one) {
       return with_links(spec, [one](LinkId id, LinkProperties& link) {
         if (id == one) link.bandwidth = times(2, link.bandwidth);
       });
     }},
    {"all latencies",
     [](const RunSpec& spec, LinkId) {
       return with_links(
           spec, [](LinkId, LinkProperties& link) { link.latency = Time::from_ps(link.latency.ps() / 2); });
     }},
    {"a latency",
     [](const RunSpec& spec, LinkId one) {
       return with_links(spec, [one](LinkId id, LinkProperties& link) {
         if (id == one) link.latency = Time();
       });
     }},
    {"bytes",
     [](const RunSpec& spec, LinkId) {
       RunSpec fewer = spec;
       fewer.comm_scale = 0.5;
       return fewer;
     }},
};

bool has_form(const RandomGraphRun& run, std::initializer_list<const char*> forms) {
  return std::ranges::any_of(forms, [&](const char* form) {
    return run.text.starts_with(std::string("network: { build: ") + form + ",");
  });
}

// On rings, grids, switches and full connections, a ring algorithm makes each link pass the messages between
// two NPUs alone. All times are then sums and maxima of the times of messages, each of which is rounded to a
// picosecond.
TEST(GraphMonotony, MoreIsNeverSlowerWhereMessagesDoNotMeet) {
  int faster = 0;
  for (std::uint64_t seed = 0; seed < seeds(150); ++seed) {
    RandomGraphRun run = random_graph_run(seed, GraphWorkload::one_collective);
    if (!has_form(run, {"ring", "torus", "mesh", "switch", "fully-connected"})) continue;
    const AlgorithmChoice ring{&ring_algorithm};
    run.spec.system.edit().algorithms.fill(std::vector(run.spec.topology->dimensions.size(), ring));
    Random random(seed);
    const Recording before = recording_of(run.spec);
    const auto rounding = Time::from_ps(static_cast<std::int64_t>(before.messages));
    const LinkId one = used_link(*run.spec.topology->graph, before.links, random);
    for (const Improvement& improvement : improvements) {
      const Time after = end_of(improvement.of(run.spec, one));
      ASSERT_LE(after.ps(), (before.end() + rounding).ps()) << improvement.name << "\n" << run.text;
      faster += after < before.end();
    }
  }
  EXPECT_GT(faster, 150);
}

// If everything is four times as fast, so is the run, except for rounding. Rounding may decide which of two
// things that happen at once comes first, and so change the end by a little.
TEST(GraphMonotony, RunsScaleWithAllThatTakesTime) {
  for (const GraphWorkload workload :
       {GraphWorkload::one_collective, GraphWorkload::layers, GraphWorkload::pipeline}) {
    for (std::uint64_t seed = 0; seed < seeds(40); ++seed) {
      const RandomGraphRun run = random_graph_run(seed, workload);
      RunSpec faster = with_links(run.spec, [](LinkId, LinkProperties& link) {
        link.bandwidth = times(4, link.bandwidth);
        link.latency = Time::from_ps(link.latency.ps() / 4);
      });
      faster.system.edit().endpoint_delay = Time::from_ps(run.spec.system->endpoint_delay.ps() / 4);
      faster.compute_scale = 0.25;
      const double before = end_of(run.spec).ns(), after = end_of(faster).ns();
      ASSERT_NEAR(4 * after, before, 0.005 * before) << run.text;
    }
  }
}

struct Tally {
  int runs = 0, faster = 0, slower = 0;
  double worst = 1;
  void count(Time before, Time after) {
    const double ratio = after.ns() / before.ns();
    constexpr double rounding = 1e-6;
    ++runs;
    faster += ratio < 1 - rounding;
    slower += ratio > 1 + rounding;
    worst = std::max(worst, ratio);
  }
};

// Improves random runs of a workload, and counts by improvement what became of them.
std::map<std::string, Tally> tallies_of(GraphWorkload workload, GraphCollectives collectives,
                                        std::uint64_t count) {
  std::map<std::string, Tally> tallies;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    try {
      const RandomGraphRun run = random_graph_run(seed, workload, collectives);
      const Recording before = recording_of(run.spec);
      Random random(seed);
      const NetworkGraph& graph = *run.spec.topology->graph;
      const LinkId one = before.links.empty() ? LinkId(0) : used_link(graph, before.links, random);
      for (const Improvement& improvement : improvements)
        tallies[improvement.name].count(before.end(), end_of(improvement.of(run.spec, one)));
    } catch (const InputError&) {  // there are no channels, or groups do not fit the network
    }
  }
  return tallies;
}

void expect_hardly_ever_slower(GraphWorkload workload, GraphCollectives collectives, std::uint64_t count) {
  const bool channels = collectives == GraphCollectives::channels;
  int faster = 0;
  for (const auto& [name, tally] : tallies_of(workload, collectives, count)) {
    const std::string what = name + (channels ? " on channels" : " in messages");
    EXPECT_GT(tally.runs, static_cast<int>(count) * 3 / 4) << what;
    EXPECT_LE(tally.slower, 2 + tally.runs / 10) << what;
    // With other bandwidths NCCL may find fewer channels: it counts links in steps, and of a GPU's ports it
    // counts only the fastest.
    EXPECT_LE(tally.worst, channels && name.find("bandwidth") != name.npos ? 3 : 1.5) << what;
    faster += tally.faster;
  }
  EXPECT_GT(faster, static_cast<int>(count));
}

// Searching channels takes longer than running on them.
void expect_hardly_ever_slower(GraphWorkload workload, std::uint64_t in_messages, std::uint64_t on_channels) {
  expect_hardly_ever_slower(workload, GraphCollectives::messages, in_messages);
  expect_hardly_ever_slower(workload, GraphCollectives::channels, on_channels);
}

TEST(GraphMonotony, MoreIsHardlyEverSlowerForACollectiveSlow) {
  expect_hardly_ever_slower(GraphWorkload::one_collective, seeds(1000), seeds(40));
}

TEST(GraphMonotony, MoreIsHardlyEverSlowerForLayersSlow) {
  expect_hardly_ever_slower(GraphWorkload::layers, seeds(150), seeds(30));
}

TEST(GraphMonotony, MoreIsHardlyEverSlowerForPipelinesSlow) {
  expect_hardly_ever_slower(GraphWorkload::pipeline, seeds(150), seeds(30));
}

TEST(GraphMonotony, MoreIsHardlyEverSlowerForTransformersSlow) {
  expect_hardly_ever_slower(GraphWorkload::transformer, seeds(20), seeds(15));
}

// Closed forms take each collective by itself.
TEST(GraphMonotony, MoreIsNeverSlowerByTheClosedFormsOfALibrary) {
  for (const GraphWorkload workload : {GraphWorkload::one_collective, GraphWorkload::layers,
                                       GraphWorkload::pipeline, GraphWorkload::transformer}) {
    for (const auto& [name, tally] : tallies_of(workload, GraphCollectives::library, seeds(25))) {
      EXPECT_GT(tally.runs, 15) << name;
      EXPECT_EQ(tally.slower, 0) << name << " " << static_cast<int>(workload);
    }
  }
}

// Breaks a link, or leaves half of it. Returns whether the run can be carried out then.
bool break_link(RunSpec& spec, LinkId link, double share) {
  auto changes = std::make_shared<LinkChanges>();
  changes->list.push_back({Time(), link, share, {}});
  try {
    check_whole_at_start(*spec.topology->graph, *changes);
  } catch (const InputError&) {
    return false;
  }
  spec.topology.edit().link_changes = changes;
  return true;
}

// Ways are the shortest, whatever their links can do. So a failure may make a run faster: by a detour over
// better links, or over links on which fewer others are. There is no such luck where all links are alike,
// packets take all ways, all NPUs do the same, and the network looks the same from each, or nearly so.
TEST(GraphMonotony, AFailureNeverHelpsACollectiveOnAGridOrInABox) {
  int slower = 0;
  for (std::uint64_t seed = 0; seed < seeds(500); ++seed) {
    const RandomGraphRun run = random_graph_run(seed, GraphWorkload::one_collective);
    if (!has_form(run, {"ring", "mesh", "torus", "switch", "fully-connected", "nvlink", "dgx-1v"})) continue;
    if (run.text.find("broadcast") != run.text.npos) continue;
    RunSpec alike = with_links(run.spec, [](LinkId, LinkProperties& link) {
      link.bandwidth = Bandwidth::from_gb_per_s(25);
      link.latency = Time::from_ns(500);
    });
    alike.topology.edit().routing = &spray_routing;
    const Recording whole = recording_of(alike);
    Random random(seed);
    const LinkId one = used_link(*alike.topology->graph, whole.links, random);
    for (const double share : {0.5, 0.0}) {
      RunSpec broken = alike;
      if (!break_link(broken, one, share)) continue;
      const Time end = end_of(broken);
      ASSERT_LE(whole.end().ns(), end.ns() * (1 + 1e-6)) << share << "\n" << run.text;
      slower += end > whole.end();
    }
  }
  EXPECT_GT(slower, 50);
}

}  // namespace
}  // namespace orrery::core::test::graph_monotony_test
