// On networks of dimensions the closed forms take hardly longer than messages that share links, in nearly all
// runs, and flows on a faster network hardly longer than on a slower one (docs/models/network-fluid.md, Are
// flows never sooner?). ORRERY_TEST_LONG=1 tries many more.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>

#include "collective/collective_backend.hpp"
#include "network/network_models.hpp"
#include "study/run/run.hpp"
#include "support/experiment_folder.hpp"

namespace orrery::core::test::analytical_bound_test {
namespace {

// Returns none where the run is refused or comes to a stall.
std::optional<Time> step_of(const RunSpec& spec) {
  try {
    Warnings warnings;
    return carry_out(spec, warnings).recording.end();
  } catch (const InputError&) {
  } catch (const CollectiveError&) {
  } catch (const StallError&) {
  }
  return std::nullopt;
}

// How often a run that should be sooner than with flows takes more than 1.02 times as long.
struct Comparison {
  std::uint64_t compared = 0, longer = 0;
  double worst = 1;
  std::string found;
};

Comparison compare_with_flows(const std::function<void(RunSpec&)>& make_sooner, const Seeds& seeds) {
  const ExperimentFolder folder;
  Comparison all;
  for (std::uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    const RandomExperiment made = random_experiment(seed);
    std::string refused;
    std::optional<RunSpec> spec = folder.read(made, refused);
    if (!spec || !spec->has_network() || spec->topology->graph || spec->system->library) continue;
    spec->network.model = &fluid_model;
    const std::optional<Time> flows = step_of(*spec);
    make_sooner(*spec);
    const std::optional<Time> other = step_of(*spec);
    if (!flows || !other) continue;
    ++all.compared;
    if (other->ns() <= 1.02 * flows->ns()) continue;
    all.worst = std::max(all.worst, other->ns() / flows->ns());
    ++all.longer;
    all.found +=
        fmt::format("seed {}: {} ns, flows take {} ns\n{}\n", seed, other->ns(), flows->ns(), made.text);
  }
  return all;
}

TEST(AnalyticalBound, IsNoLongerThanFlowsInRandomExperimentsSlow) {
  const Seeds seeds = seeds_to_try(3'000);
  const Comparison all =
      compare_with_flows([](RunSpec& spec) { spec.network.model = &analytical_model; }, seeds);
  EXPECT_LE(all.worst, 1.35) << all.found;
  EXPECT_LE(all.longer, all.compared * 5 / 1000 + 1) << "of " << all.compared << "\n" << all.found;
  if (seeds.count() < 100) return;
  EXPECT_GT(all.compared, seeds.count() / 5);
}

// A quarter more bandwidth of the last dimension makes every message sooner, but not every run.
TEST(AnalyticalBound, IsMissedAsOftenByFlowsOnAFasterNetworkSlow) {
  const Seeds seeds = seeds_to_try(3'000);
  const Comparison all = compare_with_flows(
      [](RunSpec& spec) {
        Bandwidth& bandwidth = spec.topology.edit().dimensions.back().link_bandwidth;
        bandwidth = Bandwidth::from_gib_per_s(bandwidth.gib_per_s() * 1.25);
      },
      seeds);
  EXPECT_LE(all.longer, all.compared * 4 / 1000 + 1) << "of " << all.compared << "\n" << all.found;
}

}  // namespace
}  // namespace orrery::core::test::analytical_bound_test
