// A pass as one node takes what its messages take one by one where its collectives have links for themselves.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"

namespace orrery::core::test::private_passes_test {
namespace {

// Boxes of `inside` GPUs; every box has a cable per GPU to one fabric.
std::string experiment(int inside, int boxes, const std::string& parallelism) {
  return fmt::format(R"(
platform: dgx-a100
workload: {{ model: gpt3-125m, batch: {{ global: 16, micro: 1 }}, parallelism: {{ {2} }} }}
network:
  build: fat-tree
  inside:
    build: nvlink
    size: {0}
    switches: 2
    links: 4
    link: {{ bandwidth: 25 GB/s, latency: 100 ns }}
    nics: {{ count: {0}, link: {{ bandwidth: 32 GB/s, latency: 500 ns }} }}
  link: {{ bandwidth: 25 GB/s, latency: 500 ns }}
  levels: [ {{ size: {1} }} ]
)",
                     inside, boxes, parallelism);
}

struct Steps {  // without and with folding
  std::uint64_t messages[2], operations[2];
  double us[2];
};

Steps steps_of(const std::string& text) {
  Steps steps{};
  Warnings of_reading;
  const Experiment read = read_experiment(text, "private.yaml", {}, of_reading, InputLog());
  for (const bool fold : {false, true}) {
    Warnings warnings;
    const RunResult result = carry_out(read.runs[0], warnings, fold);
    steps.messages[fold] = result.recording.messages;
    steps.operations[fold] = result.program.parts[0].graph.size();
    steps.us[fold] = std::ranges::max(result.recording.finish).us();
  }
  return steps;
}

TEST(PrivatePasses, TakeAsLongAsAllTheirMessages) {
  struct Case {
    int inside, boxes;
    const char* parallelism;
  };
  for (const Case& one :
       {Case{4, 2, "tensor: 4, data: 2"}, Case{4, 2, "tensor: 4, pipeline: 2"},
        Case{2, 4, "tensor: 2, data: 4"}, Case{2, 4, "tensor: 2, pipeline: 2, data: 2"},
        Case{4, 2, "tensor: 4, sequence: true, pipeline: 2"}, Case{4, 2, "tensor: 4, data: 2, zero: 1"}}) {
    const Steps steps = steps_of(experiment(one.inside, one.boxes, one.parallelism));
    EXPECT_LT(steps.operations[1], steps.operations[0]) << one.parallelism;
    EXPECT_EQ(steps.messages[1], steps.messages[0]) << one.parallelism;
    EXPECT_NEAR(steps.us[1], steps.us[0], 1e-5 * steps.us[0]) << one.parallelism;
  }
}

// A spine that breaks leaves ways between all boxes, and no message within a box notices.
TEST(PrivatePasses, TakeAsLongAsAllTheirMessagesWhereAnotherLinkBreaks) {
  const std::string two_leaves = experiment(4, 2, "tensor: 4, data: 4, zero: 1");
  const std::string levels =
      two_leaves.substr(0, two_leaves.rfind("levels")) + "levels: [ { size: 2 }, { size: 2 } ]\n";
  const Steps whole = steps_of(levels), broken = steps_of(levels + "failures: { node: spine0, at: 1 ms }\n");
  EXPECT_LT(broken.operations[1], broken.operations[0]);
  EXPECT_EQ(broken.messages[1], broken.messages[0]);
  EXPECT_NEAR(broken.us[1], broken.us[0], 1e-5 * broken.us[0]);
  EXPECT_GE(broken.us[1], whole.us[1]);
  // Where NPUs of a box pass messages on, or its own links change, all messages count.
  for (const char* failure : {"link: nic0-leaf0, at: 1 ms", "link: npu0-nvswitch0, bandwidth: 50%"}) {
    const Steps steps = steps_of(levels + "failures: { " + failure + " }\n");
    EXPECT_EQ(steps.operations[1], steps.operations[0]) << failure;
    EXPECT_GT(steps.us[1], whole.us[1]) << failure;
  }
}

// Of several boxes, those whose links to one leaf break pass messages on over their own links, and no others
// do. Ranks elsewhere skip the messages of their layers, and everything takes as long as with all messages.
TEST(PrivatePasses, AreKnownOnRanksOverWhoseLinksNoMessageIsPassedOn) {
  const std::string text = experiment(4, 2, "tensor: 4, pipeline: 2, data: 4, zero: 1");
  std::string rails = text.substr(0, text.rfind("levels")) + "levels: [ { size: 2 }, { size: 4 } ]\n";
  rails.replace(rails.find("fat-tree"), 8, "rail-optimized");
  for (const char* failures :
       {"{ node: leaf0, at: 1 ms }", "{ node: leaf0 }", "{ link: nic5-leaf1, at: 20 ms }",
        "[ { node: leaf0, at: 1 ms, until: 9 ms }, { node: leaf5, at: 8 ms, until: 20 ms }, "
        "{ node: leaf0, at: 30 ms } ]"}) {
    Warnings warnings;
    const std::string broken = rails + "failures: " + failures + "\n";
    const Experiment read = read_experiment(broken, "rails.yaml", {}, warnings, InputLog());
    const RunResult all = carry_out(read.runs[0], warnings, false);
    const RunResult some = carry_out(read.runs[0], warnings, true);
    EXPECT_FALSE(all.program.known_times) << failures;
    ASSERT_TRUE(some.program.known_times) << failures;
    const auto known = std::ranges::count(some.program.known_times->ranks, true);
    EXPECT_GE(known, 8) << failures;
    EXPECT_LE(known, 24) << failures;
    EXPECT_LT(some.recording.events, all.recording.events) << failures;
    EXPECT_EQ(some.recording.messages, all.recording.messages) << failures;
    EXPECT_EQ(some.recording.finish, all.recording.finish) << failures;
    ASSERT_EQ(some.recording.links.size(), all.recording.links.size()) << failures;
    for (std::size_t i = 0; i < all.recording.links.size(); ++i) {
      EXPECT_EQ(some.recording.links[i].from, all.recording.links[i].from) << failures;
      EXPECT_EQ(some.recording.links[i].to, all.recording.links[i].to) << failures;
      EXPECT_EQ(some.recording.links[i].load, all.recording.links[i].load) << failures;
      EXPECT_EQ(some.recording.links[i].busy, all.recording.links[i].busy) << failures;
    }
  }
}

TEST(PrivatePasses, AreWrittenOutWhereGroupsMeetOthers) {
  // A group crosses boxes; or gradients are exchanged within a box, too.
  for (const Steps& steps :
       {steps_of(experiment(2, 4, "tensor: 4, data: 2")), steps_of(experiment(4, 2, "tensor: 2, data: 4"))}) {
    EXPECT_EQ(steps.operations[1], steps.operations[0]);
    EXPECT_EQ(steps.us[1], steps.us[0]);
  }
}

}  // namespace
}  // namespace orrery::core::test::private_passes_test
