// Every model that applies to a run says what it takes, the finest last.
#include "study/compare/crosscheck.hpp"

#include <gtest/gtest.h>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::crosscheck_test {
namespace {

std::vector<CheckedRun> checked(const std::string& text) {
  Warnings warnings;
  const Experiment experiment = read_experiment(text, "e.yaml", {}, warnings, InputLog());
  return crosscheck(experiment, warnings, [](std::size_t, std::size_t, std::string_view) {});
}

const std::string layers = R"(
workload:
  layers:
    - { name: a, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, collective: all-to-all, size: 8 MiB } }
)";

TEST(Crosscheck, ComparesAllModelsWithTheFinest) {
  auto runs = checked(
      "network: [ { name: net, topology: switch, size: 8, bandwidth: 10 GB/s, latency: 1 us } ]\n" + layers);
  EXPECT_EQ(runs.back().model, "packet");  // which is for graphs alone
  EXPECT_NE(runs.back().why_not, "");
  runs.pop_back();
  std::vector<std::string_view> models;
  for (const CheckedRun& run : runs) {
    models.push_back(run.model);
    EXPECT_EQ(run.why_not, "");
    EXPECT_DOUBLE_EQ(run.ratio, run.total.ns() / runs.back().total.ns());
  }
  EXPECT_EQ(models, (std::vector<std::string_view>{"library", "analytical", "fluid", "link"}));
  EXPECT_EQ(runs.back().ratio, 1);
  EXPECT_EQ(runs.back().layer, "a");
  EXPECT_NE(runs.back().link, "");
}

TEST(Crosscheck, SaysWhyAModelDoesNotApply) {
  const auto runs =
      checked("network: { build: switch, size: 8, link: { bandwidth: 10 GB/s, latency: 1 us } }\n" + layers);
  ASSERT_EQ(runs.size(), 5u);
  EXPECT_NE(runs[1].why_not.find("knows only dimensions"), std::string::npos);
  EXPECT_EQ(runs[2].model, "fluid");
  EXPECT_EQ(runs[4].model, "packet");
  EXPECT_EQ(runs[4].ratio, 1);
  EXPECT_NE(runs[3].why_not.find("links of a graph"), std::string::npos);
  const std::string text = crosscheck_text(runs);
  EXPECT_NE(text.find("link does not apply to e: messages do not queue"), std::string::npos) << text;
  EXPECT_NE(text.find("e: library is "), std::string::npos) << text;
}

// A model that would leave out what the run has on its network says less of the run than nothing.
TEST(Crosscheck, ModelsThatWouldIgnoreWhatTheRunHasDoNotApply) {
  const std::string graph =
      "network: { build: switch, size: 8, link: { bandwidth: 10 GB/s, latency: 1 us } }\n";
  const std::string dimensions =
      "network: [ { name: net, topology: switch, size: 8, bandwidth: 10 GB/s, latency: 1 us } ]\n";
  const auto why_not = [](const std::vector<CheckedRun>& runs, std::size_t model) {
    return runs.at(model).why_not;
  };
  const auto broken = checked(graph + layers + "failures: { link: npu1-switch0, bandwidth: 50% }\n");
  EXPECT_EQ(why_not(broken, 0), "the closed forms of a library know no `failures`; leave it out");
  EXPECT_EQ(why_not(broken, 2), "");
  const auto hosts = checked(dimensions + layers + "host-stack: kernel-tcp\n");
  EXPECT_EQ(why_not(hosts, 0), "the closed forms of a library know no `host-stack`; leave it out");
  EXPECT_NE(why_not(hosts, 1).find("no message of a collective passes a host stack"), std::string::npos);
  EXPECT_EQ(why_not(hosts, 2), "");
  const TemporaryFolder scratch;
  const std::string flows = (scratch.path() / "flows.csv").string();
  write_file_atomically(flows, "source,destination,bytes\n0,1,50000000\n");
  const auto met = checked(dimensions + layers + "background: " + flows + "\n");
  EXPECT_EQ(why_not(met, 0), "the closed forms of a library know no `background`; leave it out");
  EXPECT_NE(why_not(met, 1).find("nothing meets the run's collectives"), std::string::npos);
  EXPECT_EQ(why_not(met, 2), "");
}

// An all-reduce over pairs of rings, of which one runs up and the other down.
TEST(Crosscheck, SaysThatAMessageOfFlitsTakesOneRing) {
  const TemporaryFolder scratch;
  const std::string file = (scratch.path() / "ring.txt").string();
  write_file_atomically(file,
                        "num-npus: 8 topology: Torus sizes: 8 flit-width: 256 package-link-width: 256 "
                        "package-packet-size: 64 vcs-per-vnet: 16 ");
  const auto runs = checked(
      "network: " + file +
      "\nworkload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 1 MB } } ] }\n");
  EXPECT_EQ(runs.back().model, "packet");
  EXPECT_NEAR(runs[2].ratio, 0.5, 0.05);
  EXPECT_NE(crosscheck_text(runs).find("takes one ring"), std::string::npos);
}

TEST(Crosscheck, ARunThatIsWrongIsAnError) {
  EXPECT_THROW(checked("network: [ { topology: ring, size: 4, bandwidth: 1 GB/s, latency: 1 us } ]\n"
                       "workload: { layers: [ { name: a, forward: { collective: all-reduce, size: 1 MiB, "
                       "root: 9 } } ] }\n"),
               InputError);
}

}  // namespace
}  // namespace orrery::core::test::crosscheck_test
