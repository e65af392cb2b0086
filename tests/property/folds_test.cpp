// A run that is folded and one of every message on every rank say the same, whatever the workload, the
// network and the machine: when ranks end, what links have carried, and what dimensions did. No link carries
// more than it can. ORRERY_TEST_LONG=1 tries many more, and ORRERY_TEST_SEED=n tries one.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "collective/collective_backend.hpp"
#include "network/network_models.hpp"
#include "report/summary/summary.hpp"
#include "study/run/run.hpp"
#include "support/experiment_folder.hpp"
#include "support/trace_text.hpp"

namespace orrery::core::test::folds_test {
namespace {

struct Finished {
  RunResult result;
  Summary summary;
  std::vector<std::string> warnings;
};

// A link, and what it has carried. Its ends are known where it stands for no others.
struct Carried {
  std::string ends;
  int dimension;
  std::uint64_t bytes, messages;
  Time busy;
  auto operator<=>(const Carried&) const = default;
};

std::vector<Carried> links_of(const Recording& recording, bool named) {
  std::vector<Carried> links;
  for (const LinkUse& use : recording.links)
    for (std::uint64_t i = 0; use.load.messages > 0 && i < use.links; ++i)
      links.push_back({named ? use.from + " to " + use.to : "", use.dimension, use.load.bytes.count(),
                       use.load.messages, use.busy});
  std::ranges::sort(links);
  return links;
}

bool stands_for_itself(const LinkUse& use) {
  return use.links == 1;
}

class Folds : public testing::Test {
 protected:
  std::optional<RunSpec> read(const RandomExperiment& made, const std::string& name) {
    text_ = name + "\n" + made.text;
    return folder_.read(made, refused_);
  }

  // Returns none, with the reason in `refused_`, where the run is refused or comes to a stall.
  std::optional<Finished> run(const RunSpec& spec, bool fold) {
    try {
      Warnings warnings;
      Finished run{carry_out(spec, warnings, fold), {}, {}};
      run.summary = spec.workload->summary(spec, run.result);
      run.warnings = warnings.lines();
      return run;
    } catch (const InputError& error) {
      refused_ = error.what();
    } catch (const CollectiveError& error) {
      refused_ = error.what();
    } catch (const StallError& error) {
      refused_ = error.what();
    }
    return std::nullopt;
  }

  // Compares a folded run with one that is not.
  void compare(const Finished& folded, const Finished& every) {
    const Recording &one = folded.result.recording, &all = every.result.recording;
    ASSERT_EQ(folded.warnings, every.warnings) << text_;
    ASSERT_EQ(one.classes.ranks(), all.classes.ranks()) << text_;
    for (std::uint32_t rank = 0; rank < all.classes.ranks(); ++rank)
      ASSERT_EQ(one.finish_of(RankId(rank)), all.finish_of(RankId(rank))) << "rank " << rank << "\n" << text_;
    ASSERT_EQ(one.messages, all.messages) << text_;
    const bool named = std::ranges::all_of(one.links, stands_for_itself) &&
                       std::ranges::all_of(all.links, stands_for_itself);
    const std::vector<Carried> links = links_of(one, named), of_all = links_of(all, named);
    ASSERT_EQ(links.size(), of_all.size()) << text_;
    for (std::size_t i = 0; i < links.size(); ++i) {
      ASSERT_EQ(links[i].ends, of_all[i].ends) << "link " << i << "\n" << text_;
      ASSERT_EQ(links[i].dimension, of_all[i].dimension) << "link " << i << "\n" << text_;
      ASSERT_EQ(links[i].messages, of_all[i].messages) << "link " << i << "\n" << text_;
      ASSERT_EQ(links[i].bytes, of_all[i].bytes) << "link " << i << "\n" << text_;
      // Each message takes whole picoseconds of a link where collectives are counted one by one.
      ASSERT_NEAR(links[i].busy.ns() * 1000, of_all[i].busy.ns() * 1000,
                  static_cast<double>(links[i].messages))
          << "link " << i << "\n"
          << text_;
    }
    compare_summaries(folded.summary, every.summary);
  }

  void compare_summaries(const Summary& one, const Summary& all) {
    ASSERT_EQ(one.dimensions.size(), all.dimensions.size()) << text_;
    for (std::size_t d = 0; d < all.dimensions.size(); ++d) {
      ASSERT_NEAR(one.dimensions[d].busy, all.dimensions[d].busy, 1e-7) << "dimension " << d << "\n" << text_;
      const double payload = static_cast<double>(all.dimensions[d].payload.count());
      ASSERT_NEAR(static_cast<double>(one.dimensions[d].payload.count()), payload, 1 + 1e-9 * payload)
          << "dimension " << d << "\n"
          << text_;
    }
    ASSERT_EQ(one.busiest_links.size(), all.busiest_links.size()) << text_;
    for (std::size_t i = 0; i < all.busiest_links.size(); ++i)
      ASSERT_NEAR(one.busiest_links[i].utilization, all.busiest_links[i].utilization, 1e-7)
          << "busiest " << i << "\n"
          << text_;
  }

  void expect_possible(const RunSpec& spec, const Finished& run) {
    if (spec.dialect.overloads_links) return;
    for (const BusiestLinks& link : run.summary.busiest_links)
      ASSERT_LE(link.utilization, 1.0001) << link.from << " to " << link.to << "\n" << text_;
    if (run.summary.dimensions.empty()) return;
    for (const DimensionSummary& dimension : run.summary.dimensions)
      ASSERT_LE(dimension.busy, 1.0001) << dimension.name << "\n" << text_;
  }

  // Compares the two runs of an experiment, if it has a meaning.
  void try_seed(std::uint64_t seed) {
    const std::optional<RunSpec> spec = read(random_experiment(seed), fmt::format("seed {}", seed));
    if (!spec) return;
    const std::optional<Finished> with = run(*spec, true), without = run(*spec, false);
    ASSERT_EQ(with.has_value(), without.has_value()) << refused_ << "\n" << text_;
    if (!with) return;
    ++ran_;
    folded_ += with->result.recording.folded ? 1 : 0;
    compare(*with, *without);
    expect_possible(*spec, *with);
  }

  // Does the same with one that must have a meaning.
  void try_tiny(const std::string& text) {
    const std::optional<RunSpec> spec = read(
        {text,
         {{"tiny.yaml", "name: tiny\nlayers: 4\nhidden: 256\nheads: 8\nvocabulary: 1024\nsequence: 512\n"}}},
        "");
    ASSERT_TRUE(spec) << refused_;
    const std::optional<Finished> with = run(*spec, true), without = run(*spec, false);
    ASSERT_TRUE(with && without) << refused_;
    compare(*with, *without);
    expect_possible(*spec, *with);
  }

  ExperimentFolder folder_;
  int ran_ = 0, folded_ = 0;  // experiments
  std::string text_;
  std::string refused_;
};

TEST_F(Folds, ChangeNothingInRandomExperimentsSlow) {
  const Seeds seeds = seeds_to_try(2'000);
  for (std::uint64_t seed = seeds.first; seed < seeds.last; ++seed) try_seed(seed);
  if (seeds.count() < 100) return;
  EXPECT_GT(ran_, static_cast<int>(seeds.count()) / 2);
  EXPECT_GT(folded_, static_cast<int>(seeds.count()) / 8);
}

TEST_F(Folds, ChangeNothingWhereMembersOfAGroupFareDifferently) {
  const std::string dgx =
      "network: { build: dgx-1v, nvlink: { bandwidth: 25 GB/s, latency: 0 ns }, pcie: { bandwidth: 300 GB/s, "
      "latency: 1 us }, cpus: { bandwidth: 1 GB/s, latency: 5 us, count: 3 } }\n";
  const std::string tree =
      "network: { build: fat-tree, link: { bandwidth: 3.3 GB/s, latency: 1 us }, levels: [ { size: 8 }, { "
      "size: 4, oversubscription: 8 } ] }\n";
  const std::string platform = "platform: dgx-a100\n";
  const std::string model = "workload: { model: ./tiny.yaml, ";
  for (const std::string& text :
       {// The NVLinks of a DGX-1 differ in width, so members of a group end a collective one after another.
        platform + dgx + model +
            "batch: { global: 4, micro: 2 }, parallelism: { tensor: 4, pipeline: 2, schedule: interleaved, "
            "virtual-stages: 2 }, overlap: { messages: false } }\n",
        // Some messages between stages pass NVLinks, and others the CPUs.
        platform + dgx + "system: { library: nccl }\n" + model +
            "batch: { global: 4, micro: 1 }, parallelism: { tensor: 2, pipeline: 2, data: 2, schedule: 1f1b "
            "} "
            "}\n",
        // All messages between stages meet above the leaves.
        platform + tree + "system: { library: ideal }\n" + model +
            "batch: { global: 64 }, parallelism: { pipeline: 4, data: 8 } }\n"}) {
    try_tiny(text);
  }
}

// A pass of a micro-batch is one node where that is exact.
TEST_F(Folds, ChangeNothingWherePassesAreOneNode) {
  const std::string platform = "platform: dgx-h100\n", model = "workload: { model: ./tiny.yaml, ";
  const std::string pair =
      "network: { build: switch, size: 2, link: { bandwidth: 25 GB/s, latency: 500 ns } }\n";
  const std::string rails =
      "network: { build: rail-optimized, inside: { build: nvlink, size: 4, switches: 2, links: 4, link: { "
      "bandwidth: 50 GB/s, latency: 500 ns }, nics: { count: 4, link: { bandwidth: 100 GB/s, latency: 2 us } "
      "} "
      "}, link: { bandwidth: 50 GB/s, latency: 0 ns }, levels: [ { size: 2 }, { size: 2 } ] }\n";
  for (const std::string& text :
       {// Nothing but operators rounds times.
        platform + pair + model + "batch: { global: 4, micro: 1 }, parallelism: { pipeline: 2 } }\n",
        // Queue pairs go on at the rates at which they were.
        platform + pair + "network-model: packet\n" + model +
            "sequence: 128, batch: { global: 4, micro: 1 }, parallelism: { tensor: 2 } }\n",
        // Ways of the channels between boxes do not depend on who has found channels before.
        platform + rails + "system: { channels: true }\n" + model +
            "sequence: 128, batch: { global: 16, micro: 1 }, parallelism: { tensor: 4, data: 4 } }\n",
        // Exchanges of gradients run beside those of passes in the same dimension.
        platform +
            "network: { build: fully-connected, size: 8, link: { bandwidth: 25 GB/s, latency: 500 ns } }\n" +
            model + "sequence: 256, batch: { global: 16, micro: 1 }, parallelism: { tensor: 2, data: 4 } }\n",
        // Each message may go another way.
        platform + rails + "routing: spray-messages\n" + model +
            "sequence: 128, batch: { global: 16, micro: 1 }, parallelism: { tensor: 4, data: 4 } }\n"}) {
    try_tiny(text);
  }
}

// The shorter way between the ends of half a ring leads over all of its links, so a link between two members
// carries twice what a member sends.
TEST_F(Folds, TracesOfHalfARingAskForNoMoreThanLinksCarry) {
  RandomExperiment half{
      "network: [ { topology: ring, size: 8, bandwidth: 1 GB/s, latency: 0 ns } ]\nnetwork-model: "
      "analytical\n"
      "system: { endpoint-delay: 0 ns, collectives: { all-reduce: ring } }\n"
      "workload: { traces: t, groups: groups.json }\n",
      {{"groups.json", "{ \"1\": [0, 1, 2, 3], \"2\": [4, 5, 6, 7] }\n"}}};
  for (int rank = 0; rank < 8; ++rank)
    half.files[fmt::format("t.{}.et", rank)] = trace_of_text(
        fmt::format("collective 1 name=a comm_type=0 comm_size=4000000 pg_name:string={}\n", 1 + rank / 4));
  const std::optional<RunSpec> spec = read(half, "");
  ASSERT_TRUE(spec) << refused_;
  const std::optional<Finished> bounded = run(*spec, true);
  ASSERT_TRUE(bounded) << refused_;
  expect_possible(*spec, *bounded);
  RunSpec flows = *spec;
  flows.network.model = &fluid_model;
  const std::optional<Finished> fluid = run(flows, true);
  ASSERT_TRUE(fluid) << refused_;
  EXPECT_EQ(bounded->result.recording.end(), fluid->result.recording.end());
  // Each of 6 messages of 1 MB passes a link both ways, on which they share 2 GB/s; the start of the
  // collective and its 6 steps have ASTRA-sim 2's endpoint delay of 10 ns each.
  EXPECT_EQ(bounded->result.recording.end(), Time::from_ns(6'000'070));
}

}  // namespace
}  // namespace orrery::core::test::folds_test
