// Programs of several parts: one rank for each class of equal ranks gives what all ranks give.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "base/random.hpp"
#include "study/run/run.hpp"
#include "support/layers.hpp"
#include "support/random_run.hpp"

namespace orrery::core::test::parts_test {
namespace {

constexpr std::uint64_t pipelines = 150;

// A pipeline along one of the network's dimensions, data parallel along the others.
RunSpec random_pipeline(std::uint64_t seed) {
  RunSpec spec = random_run(seed, native_dialect, {.shared_bus = false, .whole_machine = false});
  Random random(seed + 77);
  for (Dimension& dimension : spec.topology.edit().dimensions) dimension.hbm_scale = 0;
  LayerTable table;
  const int along = random.between(0, static_cast<int>(spec.topology->dimensions.size()) - 1);
  const Dimension& stages = spec.topology->dimensions[static_cast<std::size_t>(along)];
  table.pipeline = PipelineOptions{};
  table.pipeline->schedule =
      random.chance(50) ? PipelineSchedule::gpipe : PipelineSchedule::one_forward_one_backward;
  table.pipeline->micro_batches = random.between(1, 5);
  table.pipeline->dimension = stages.name;
  for (int i = 0; i < stages.size + random.between(0, 4); ++i) {
    Layer layer;
    layer.name = "layer" + std::to_string(i);
    layer.forward.compute = Time::from_ns(random.between(1, 9000));
    layer.input_gradient.compute = Time::from_ns(random.between(1, 9000));
    layer.weight_gradient.compute = Time::from_ns(random.between(1, 9000));
    layer.weight_gradient.collective = CollectiveKind::all_reduce;
    layer.weight_gradient.size = Bytes(static_cast<std::uint64_t>(random.between(1, 200'000)));
    layer.output = Bytes(static_cast<std::uint64_t>(random.between(1, 100'000)));
    table.layers.push_back(layer);
  }
  spec.workload = std::make_shared<const LayerTableWorkload>(table);
  return spec;
}

RunResult run(const RunSpec& spec, bool fold) {
  Warnings warnings;
  return carry_out(spec, warnings, fold);
}

std::vector<Time> finish(const RunResult& result) {
  std::vector<Time> times;
  for (std::uint32_t rank = 0; rank < result.recording.classes.ranks(); ++rank)
    times.push_back(result.recording.finish_of(RankId(rank)));
  return times;
}

void compare_folded(bool stragglers) {
  for (std::uint64_t seed = 0; seed < pipelines; ++seed) {
    RunSpec spec = random_pipeline(seed);
    if (stragglers) {
      vary_ranks(spec, seed);
      spec.network.slow_links.clear();
    }
    const RunResult folded = run(spec, true), every = run(spec, false);
    ASSERT_TRUE(folded.recording.folded);
    ASSERT_TRUE(every.recording.classes.distinct());
    ASSERT_EQ(finish(folded), finish(every)) << describe(spec);
    ASSERT_EQ(folded.recording.messages, every.recording.messages) << describe(spec);
    for (std::size_t part = 0; part < folded.recording.parts.size(); ++part)
      ASSERT_EQ(folded.recording.phases_of(part)->payload, every.recording.phases_of(part)->payload)
          << describe(spec);
  }
}

TEST(Parts, OneRankStandsForEqualRanksSlow) {
  compare_folded(false);
}

TEST(Parts, StragglersSplitClassesSlow) {
  compare_folded(true);
}

// Every message of every rank goes over the links, so no rank ends before what the links have to carry.
TEST(Parts, OnLinksNoLinkCarriesMoreThanItCanSlow) {
  for (std::uint64_t seed = 0; seed < pipelines; ++seed) {
    RunSpec spec = random_pipeline(seed);
    spec.network.model = &link_model;
    const RunResult result = run(spec, true);
    ASSERT_TRUE(result.recording.classes.distinct());
    const Time end = result.recording.end();
    for (const LinkUse& link : result.recording.links)
      ASSERT_LE(link.busy, end + Time::from_ps(static_cast<std::int64_t>(link.load.messages)))
          << describe(spec);
  }
}

}  // namespace
}  // namespace orrery::core::test::parts_test
