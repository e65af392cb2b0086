// Compute, bubble, exposed communication and idle time of every rank add up to the step, whatever the
// workload, the network and the machine, and layers, parts and communicators have parts of the whole.
// ORRERY_TEST_LONG=1 has the slow tests try many more, and ORRERY_TEST_SEED=n has them try one.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "collective/collective_backend.hpp"
#include "study/run/run.hpp"
#include "support/experiment_folder.hpp"

namespace orrery::core::test::breakdown_test {
namespace {

void expect_whole(const TimeParts& parts, Time step) {
  EXPECT_EQ(parts.sum(), step);
  for (const Time part :
       {parts.compute, parts.host, parts.memory, parts.update, parts.bubble, parts.exposed, parts.idle})
    EXPECT_GE(part, Time());
  EXPECT_LE(parts.host + parts.memory + parts.update, parts.compute);
}

void expect_spans_follow_one_another(const RunResult& result) {
  const RankSpans ranks(result.program, result.recording);
  for (const ClassRecord& of : ranks.classes()) {
    Time at;
    bool gaps = false;
    for (const Span& span : ranks.spans(of)) {
      // Only the last wait of a program may be put off by what hides it.
      EXPECT_FALSE(gaps);
      gaps = span.interval.start != at;
      at += span.length();
      EXPECT_GE(span.bubble, Time());
      EXPECT_LE(span.bubble, span.length());
    }
    EXPECT_EQ(at, ranks.own_end(of));
    if (!result.program.parts[of.part].hides_end) {
      EXPECT_FALSE(gaps);
    }
  }
}

void expect_parts_of_the_whole(const RunResult& result) {
  const Breakdown& breakdown = result.breakdown;
  expect_whole(breakdown.mean, breakdown.step);
  std::size_t ranks = 0;
  Time last;
  for (const ClassTime& one : breakdown.classes) {
    expect_whole(one.parts, breakdown.step);
    ranks += one.ranks;
    last = std::max(last, one.end);
  }
  EXPECT_EQ(ranks, static_cast<std::size_t>(result.machine.topology.npus()));
  EXPECT_LE(last, breakdown.step);
  Time compute, exposed;
  for (const LayerTime& layer : breakdown.layers) {
    EXPECT_GE(std::min(layer.compute, layer.exposed), Time());
    compute += layer.compute;
    exposed += layer.exposed;
  }
  EXPECT_LE(compute, breakdown.mean.compute);
  EXPECT_LE(exposed, breakdown.mean.exposed);
  Time along;
  for (const Time one : breakdown.exposed) along += one;
  EXPECT_LE(along, breakdown.mean.exposed);
  for (const PartTime& part : breakdown.parts) {
    expect_whole(part.parts, breakdown.step);
    EXPECT_LE((part.awaits_messages + part.awaits_collectives), part.parts.bubble + part.parts.exposed);
  }
}

void expect_parts_that_add_up(const Seeds& seeds) {
  const ExperimentFolder folder;
  int ran = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    const RandomExperiment made = random_experiment(seed);
    std::string refused;
    const std::optional<RunSpec> spec = folder.read(made, refused);
    if (!spec) continue;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + made.text);
    RunResult result;
    try {
      Warnings warnings;
      result = carry_out(*spec, warnings, seed % 2 == 0);
    } catch (const InputError&) {
      continue;
    } catch (const CollectiveError&) {
      continue;
    } catch (const StallError&) {
      continue;
    }
    expect_parts_of_the_whole(result);
    expect_spans_follow_one_another(result);
    if (testing::Test::HasFailure()) return;
    ++ran;
  }
  if (seeds.count() < 100) return;
  EXPECT_GT(ran, static_cast<int>(seeds.count()) / 3);
}

TEST(Breakdown, PartsAddUpToTheStep) {
  expect_parts_that_add_up({0, 200});
}

TEST(Breakdown, PartsOfManyRunsAddUpToTheStepSlow) {
  expect_parts_that_add_up(seeds_to_try(2'000));
}

}  // namespace
}  // namespace orrery::core::test::breakdown_test
