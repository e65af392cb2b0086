// On networks of dimensions the closed forms take hardly longer than messages that share links, in nearly all
// runs (docs/models/network-fluid.md, Are flows never sooner?). ORRERY_TEST_LONG=1 tries many more.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <optional>
#include <string>

#include "collective/collective_issuer.hpp"
#include "network/network_models.hpp"
#include "study/run.hpp"
#include "support/experiment_folder.hpp"

namespace orrery::test::analytical_bound_test {
namespace {

// Returns none where the run is refused or comes to a stall.
std::optional<Time> step_of(RunSpec spec, NetworkModel model) {
  spec.network.model = model;
  try {
    Warnings warnings;
    return carry_out(spec, warnings).recording.end();
  } catch (const InputError&) {
  } catch (const CollectiveError&) {
  } catch (const StallError&) {
  }
  return std::nullopt;
}

TEST(AnalyticalBound, IsNoLongerThanFlowsInRandomExperimentsSlow) {
  const Seeds seeds = seeds_to_try(3'000);
  const ExperimentFolder folder;
  std::uint64_t compared = 0, longer = 0;
  std::string found;
  for (std::uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    const RandomExperiment made = random_experiment(seed);
    std::string refused;
    const std::optional<RunSpec> spec = folder.read(made, refused);
    if (!spec || !spec->has_network() || spec->topology->graph || !spec->system->library.empty()) continue;
    const std::optional<Time> bound = step_of(*spec, &analytical_model), step = step_of(*spec, &fluid_model);
    if (!bound || !step) continue;
    ++compared;
    EXPECT_LE(bound->ns(), 1.35 * step->ns()) << "seed " << seed << "\n" << made.text;
    if (bound->ns() <= 1.02 * step->ns()) continue;
    ++longer;
    found += fmt::format("seed {}: {} ns, flows take {} ns\n{}\n", seed, bound->ns(), step->ns(), made.text);
  }
  // Among 20,000 seeds about 5 of 1,000 take longer. The first 3,000 seeds have more of them, 7 of 748.
  const std::uint64_t in_thousand = seeds.count() < 10'000 ? 9 : 5;
  EXPECT_LE(longer, compared * in_thousand / 1000 + 1) << "of " << compared << "\n" << found;
  if (seeds.count() < 100) return;
  EXPECT_GT(compared, seeds.count() / 5);
}

}  // namespace
}  // namespace orrery::test::analytical_bound_test
