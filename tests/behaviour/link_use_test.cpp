// What links are said to have carried, against what they can carry until the run ends.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <numeric>

#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"

namespace orrery::core::test::link_use_test {
namespace {

const std::string ring =
    "network: [ { name: x, topology: ring, size: 4, bandwidth: 10 GB/s, latency: 500 ns } ]\n";
const std::string group =
    "network: { build: switch, size: 4, link: { bandwidth: 10 GB/s, latency: 500 ns } }\n";
const std::string all_reduce =
    "workload: { layers: [ { name: a, weight-gradient: { compute: 100 us, collective: all-reduce, size: 1 "
    "MiB } } ] }\n";
const std::string pipeline =
    "workload:\n"
    "  layers:\n"
    "    - { name: a, forward: { compute: 100 us }, output: 1 MiB }\n"
    "    - { name: b, forward: { compute: 100 us }, output: 1 MiB }\n"
    "    - { name: c, forward: { compute: 100 us }, output: 1 MiB }\n"
    "    - { name: d, forward: { compute: 100 us } }\n"
    "  pipeline: { micro-batches: 4 }\n";

Recording run(const std::string& text) {
  Warnings warnings;
  const Experiment experiment = read_experiment(text, "e.yaml", {}, warnings, [](const std::string&) {
    return std::string("source,destination,bytes\n0,1,50000000\n2,1,30000000\n");
  });
  return carry_out(experiment.runs.at(0), warnings).recording;
}

const LinkUse* find(const Recording& recording, const LinkSeries& series) {
  for (const LinkUse& use : recording.links)
    if (use.from == series.from && use.to == series.to) return &use;
  return nullptr;
}

// Flows in the background that had not ended counted with all their bytes.
TEST(LinkUse, CountsWhatIsCarriedUntilTheRunEnds) {
  for (const auto& [network, model, workload] :
       {std::tuple(ring, "fluid", all_reduce), std::tuple(ring, "link", all_reduce),
        std::tuple(group, "fluid", all_reduce), std::tuple(group, "packet", all_reduce),
        std::tuple(group, "fluid", pipeline), std::tuple(group, "packet", pipeline),
        std::tuple(group + "failures: { link: npu1-switch0, bandwidth: 40%, at: 150 us, until: 250 us }\n",
                   "fluid", all_reduce)}) {
    const std::string text = fmt::format("{}network-model: {}\n{}background: f.csv\nlink-history: true\n",
                                         network, model, workload);
    const Recording recording = run(text);
    ASSERT_FALSE(recording.links.empty()) << text;
    EXPECT_LE(recording.links[0].busy, recording.end() + Time::from_ps(2)) << text;
    ASSERT_FALSE(recording.link_history.links.empty()) << text;
    for (const LinkSeries& series : recording.link_history.links) {
      const double carried = std::accumulate(series.bytes.begin(), series.bytes.end(), 0.0);
      const double last_begins =
          static_cast<double>(series.bytes.size() - 1) * recording.link_history.interval.ns();
      EXPECT_LE(last_begins, recording.end().ns()) << text << series.from;
      const LinkUse* const use = find(recording, series);
      if (!use) continue;  // it is one of several that are named by the first
      EXPECT_NEAR(use->load.bytes.as_double(), carried, 5000) << text << series.from << ' ' << series.to;
    }
  }
}

struct Slow {
  std::string failures;
  double use;  // of the slow link
};

// They counted with their whole bandwidth, so that the others seemed to be busier. All the time goes to the
// slow link, because nobody's next step takes its share before its NPU is ready for that.
TEST(LinkUse, OfThrottledLinksIsThatOfTheirOwnBandwidth) {
  constexpr double step_ns = 64.0 * (1 << 20) / 10;  // of all bytes over a whole link
  for (const auto& [failures, use] :
       {Slow{"{ link: npu1-switch0, bandwidth: 50% }", 1}, Slow{"{ link: npu1-switch0, bandwidth: 10% }", 1},
        Slow{"{ link: npu1-switch0, bandwidth: 50%, at: 1 ms }", 0}}) {
    for (const std::string model : {"fluid", "packet"}) {
      const Recording recording = run(fmt::format(
          "{}network-model: {}\nfailures: {}\nworkload: {{ layers: [ {{ name: a, weight-gradient: "
          "{{ collective: all-reduce, size: 64 MiB }} }} ] }}\n",
          group, model, failures));
      const LinkUse& busiest = recording.links[0];
      EXPECT_TRUE(busiest.from == "npu1" || busiest.to == "npu1") << failures << ' ' << model;
      const double share = busiest.busy.ns() / recording.end().ns();
      if (use > 0) {
        EXPECT_NEAR(share, use, 0.01) << failures << ' ' << model;
      } else {  // for a millisecond at its whole bandwidth, and the rest of its 1.5 sizes at half of it
        EXPECT_NEAR(busiest.busy.ns() / (1e6 + (1.5 * step_ns - 1e6) * 2), 1, model == "fluid" ? 0.001 : 0.06)
            << model;
      }
    }
  }
}

}  // namespace
}  // namespace orrery::core::test::link_use_test
