// orrery compare says what changes from one run to another, and why as far as inputs tell.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "base/files/file.hpp"
#include "report/compare/run_changes.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::compare_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Compare : public testing::Test {
 protected:
  void SetUp() override { fs::current_path(scratch_.path()); }
  void TearDown() override { fs::current_path(before_); }

  static std::string experiment(const std::string& bandwidth) {
    return "network: [ { name: net, topology: ring, size: 4, bandwidth: " + bandwidth +
           R"(, latency: 500 ns } ]
workload:
  layers:
    - { name: a, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, collective: all-reduce, size: 8 MB } }
    - { name: b, forward: { compute: 4 us }, weight-gradient: { compute: 3 us, collective: all-reduce, size: 1 MB } }
)";
  }
  static void run(const std::string& name, const std::string& text,
                  const std::string& override = "passes=1") {
    write_file_atomically(name + ".yaml", text);
    ASSERT_EQ(run_orrery({name + ".yaml", "--set", override}).exit_code, 0);
  }
  static Json compared(const std::vector<std::string>& results) {
    std::vector<std::string> words{"compare", "--json"};
    words.insert(words.end(), results.begin(), results.end());
    const Outcome outcome = call_orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return Json::parse(outcome.output)["comparisons"];
  }
  static Json summary_of(const std::string& name) {
    return Json::parse(read_file_of_any_kind("results/" + name + "/summary.json"))["runs"][0];
  }
  static std::map<std::string, std::pair<std::string, std::string>> inputs_of(const Json& comparison) {
    std::map<std::string, std::pair<std::string, std::string>> inputs;
    for (const Json& input : comparison["inputs"]) inputs[input["key"]] = {input["before"], input["after"]};
    return inputs;
  }
  using Inputs = std::map<std::string, std::pair<std::string, std::string>>;

 private:
  TemporaryFolder scratch_;
  fs::path before_ = fs::current_path();
};

TEST_F(Compare, SaysWhereTheTimeGoesInstead) {
  run("fast", experiment("50 GB/s"));
  run("slow", experiment("10 GB/s"));
  const Json comparisons = compared({"results/fast", "results/slow/"});
  ASSERT_EQ(comparisons.size(), 1u);
  const Json& of = comparisons[0];
  const Json fast = summary_of("fast"), slow = summary_of("slow");
  EXPECT_EQ(of["before"], "fast");
  EXPECT_EQ(of["after"], "slow");
  EXPECT_EQ(of["total_before_us"], fast["total_us"]);
  EXPECT_EQ(of["total_after_us"], slow["total_us"]);
  ASSERT_EQ(of["times"].size(), 2u);
  EXPECT_EQ(of["times"][0]["change_us"], 0);
  EXPECT_EQ(of["times"][1]["what"], "exposed communication");
  EXPECT_EQ(of["times"][1]["before_us"], fast["exposed_us"]);
  EXPECT_EQ(of["times"][1]["after_us"], slow["exposed_us"]);
  ASSERT_EQ(of["layers"].size(), 2u);
  EXPECT_GE(of["layers"][0]["change_us"], of["layers"][1]["change_us"]);
  EXPECT_NEAR(of["layers"][0]["change_us"].get<double>() + of["layers"][1]["change_us"].get<double>(),
              slow["total_us"].get<double>() - fast["total_us"].get<double>(), 1e-6);
  ASSERT_EQ(of["links"].size(), 1u);
  EXPECT_NEAR(of["links"][0]["use_after"].get<double>(),
              slow["busiest_links"][0]["utilization"].get<double>(), 1e-6);
}

// The table's speedups are those of iterations, so the text must not take more of them for a slower run.
TEST_F(Compare, RunsOfDifferentlyManyIterationsAreComparedPerIteration) {
  run("one", experiment("10 GB/s"));
  run("two", experiment("10 GB/s"), "passes=2");
  const std::string text = call_orrery({"compare", "results/one", "results/two"}).output;
  EXPECT_TRUE(std::regex_search(text, std::regex("for 1:\\s+per\\s+iteration\\s+it\\s+takes\\s+as\\s+long")))
      << text;
  EXPECT_EQ(text.find("times as slow"), std::string::npos) << text;
  run("slow", experiment("5 GB/s"), "passes=2");
  const std::string slower = call_orrery({"compare", "results/one", "results/slow"}).output;
  EXPECT_TRUE(std::regex_search(slower, std::regex("per\\s+iteration\\s+it\\s+is\\s+1\\.\\d+\\s+times")))
      << slower;
}

TEST_F(Compare, NamesTheInputsThatDiffer) {
  run("fast", experiment("50 GB/s"));
  run("slow", experiment("10 GB/s"), "passes=2");
  EXPECT_EQ(inputs_of(compared({"results/fast/fast", "results/slow/summary.json"})[0]),
            (Inputs{{"network.net.bandwidth", {"50 GB/s", "10 GB/s"}},
                    {"passes", {"1", "2"}},
                    {"training iterations", {"1", "2"}}}));
}

// When a file has changed, its former content is not known any more.
TEST_F(Compare, DoesNotTakeAChangedFileForWhatWasSimulated) {
  run("fast", experiment("50 GB/s"));
  run("slow", experiment("10 GB/s"));
  write_file_atomically("slow.yaml", experiment("20 GB/s"));
  const Inputs inputs = inputs_of(compared({"results/fast", "results/slow"})[0]);
  EXPECT_EQ(inputs.size(), 2u);
  EXPECT_NE(inputs.at("content of fast.yaml").first, "");
  EXPECT_EQ(inputs.at("content of fast.yaml").second, "");
  EXPECT_EQ(inputs.at("content of slow.yaml").first, "");
}

TEST_F(Compare, TellsRunsOfAnExperimentApartByTheirKeysAndPieces) {
  run("study", "name: study\n" + experiment("50 GB/s") + R"(
systems:
  usual: { chunks: 2, queue-order: smallest-first }
  more: { base: usual, chunks: 8 }
system: usual
runs:
  - { name: few }
  - { name: many, system: more }
  - { name: scaled, communication-scale: 2 }
)");
  const Json comparisons = compared({"results/study"});
  ASSERT_EQ(comparisons.size(), 2u);
  EXPECT_EQ(comparisons[0]["before"], "few");
  EXPECT_EQ(inputs_of(comparisons[0]), (Inputs{{"system.chunks", {"2", "8"}}}));
  EXPECT_EQ(inputs_of(comparisons[1]), (Inputs{{"communication-scale", {"", "2"}}}));
  write_file_atomically("study.yaml", "");
  EXPECT_EQ(inputs_of(compared({"results/study"})[0]),
            (Inputs{{"system", {"usual", "more"}}}));  // as summary.json has it
}

TEST_F(Compare, RunsOfOneNameAreToldApartByTheirFolders) {
  run("fast", "name: one\n" + experiment("50 GB/s"));
  fs::rename("results", "before");
  run("slow", "name: one\n" + experiment("10 GB/s"));
  const Outcome outcome = call_orrery({"compare", "before/one", "results/one"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.output.find("results/one is"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("network.net.bandwidth"), std::string::npos) << outcome.output;
}

// One link of a network is busy for longer than before, and the others for as long. The former comes first.
TEST_F(Compare, ComparesLinksOneByOne) {
  const auto text = [](const std::string& bandwidth) {
    return R"(network:
  nodes: [ { name: npu, kind: npu, count: 4 }, { name: s, kind: switch } ]
  links:
    - { from: 'npu[1-3]', to: s, bandwidth: 10 GB/s, latency: 1 us }
    - { from: npu0, to: s, latency: 1 us, bandwidth: )" +
           bandwidth + R"( }
workload: { layers: [ { name: a, weight-gradient: { compute: 1 us, collective: all-reduce, size: 8 MB } } ] }
)";
  };
  run("fast", text("9 GB/s"));
  run("slow", text("5 GB/s"));
  const Json links = compared({"results/fast", "results/slow"})[0]["links"];
  ASSERT_GE(links.size(), 2u);
  EXPECT_NE(links[0].dump().find("npu0"), std::string::npos) << links.dump(1);
  double last = 2;
  bool as_busy = false;
  for (const Json& link : links) {
    if (!link.contains("use_before") || !link.contains("use_after")) continue;
    if (link["busy_before_us"] == link["busy_after_us"] && !as_busy) {  // from here on only shares change
      as_busy = true;
      last = 2;
    }
    EXPECT_EQ(link["busy_before_us"] == link["busy_after_us"], as_busy) << link;
    const double change = std::abs(link["use_after"].get<double>() - link["use_before"].get<double>());
    EXPECT_LE(change, last);
    last = change;
  }
  EXPECT_NE(links.dump().find("npu0 to s"), std::string::npos) << links.dump(1);
}

TEST(RunChanges, LinksAreComparedOneByOneAndTheLargestChangesComeFirst) {
  const auto link = [](const char* from, double use) { return BusiestLinks{from, "s", "net", 1, use}; };
  const RunChanges changes =
      changes_between({}, {}, {}, {link("a", 0.5), link("b", 0.25), link("same", 0.1), link("gone", 0.01)},
                      {link("same", 0.1), link("b", 0.75), link("a", 0.25), link("new", 0.02)});
  ASSERT_EQ(changes.links.size(), 4u);
  EXPECT_EQ(changes.links[0].before, "b to s");
  EXPECT_EQ(changes.links[0].change(), 0.5);
  EXPECT_EQ(changes.links[1].before, "a to s");
  EXPECT_EQ(changes.links[2].after, "new to s");
  EXPECT_EQ(changes.links[2].before, "");
  EXPECT_EQ(changes.links[3].before, "gone to s");
}

// A run that takes longer has all its links busy for a smaller share. The link that is busy for longer comes
// first although its share changes less.
TEST(RunChanges, LinksThatAreBusyForAsLongComeLast) {
  const auto link = [](const char* from, double use, int busy_us) {
    return BusiestLinks{from, "s", "net", 1, use, Time::from_ns(busy_us * 1000)};
  };
  const RunChanges changes =
      changes_between({}, {}, {}, {link("nvlink", 0.8, 80), link("nic", 0.1, 10), link("other", 0.6, 60)},
                      {link("nvlink", 0.4, 80), link("nic", 0.2, 40), link("other", 0.3, 60)});
  ASSERT_EQ(changes.links.size(), 3u);
  EXPECT_EQ(changes.links[0].before, "nic to s");
  EXPECT_EQ(changes.links[1].before, "nvlink to s");
  const std::string text = text_of(changes, false);
  EXPECT_NE(text.find("nic to s"), std::string::npos) << text;
  EXPECT_EQ(text.find("nvlink to s"), std::string::npos) << text;
  EXPECT_NE(text.find("2 other links are busy for as long as before"), std::string::npos) << text;
}

TEST_F(Compare, LeavesOutRunsThatFailed) {
  write_file_atomically("study.yaml", "name: study\n" + experiment("50 GB/s") + R"(
systems: { five: { collectives: { all-reduce: [halving-doubling] } } }
runs:
  - { name: good }
  - { name: bad, system: five, network: [ { topology: switch, size: 5, bandwidth: 1 GB/s, latency: 1 us } ] }
  - { name: better, compute-scale: 0.5 }
)");
  ASSERT_EQ(run_orrery({"study.yaml"}).exit_code, 2);
  const Outcome outcome = call_orrery({"compare", "results/study", "--json"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.error.find("the run `bad` failed, and is left out"), std::string::npos) << outcome.error;
  EXPECT_EQ(Json::parse(outcome.output)["comparisons"].size(), 1u);
}

TEST(RunChanges, LayersThatOneRunLacksCountThere) {
  Summary before, after;
  before.layers = {{"a", Time::from_ns(5), Time(), Time::from_ns(1)},
                   {"same", Time::from_ns(2), Time(), Time()}};
  after.layers = {{"same", Time::from_ns(2), Time(), Time()}, {"b", Time::from_ns(9), Time(), Time()}};
  const RunChanges changes = changes_between(before, after, {});
  ASSERT_EQ(changes.layers.size(), 2u);
  EXPECT_EQ(changes.layers[0].layer, "b");
  EXPECT_EQ(changes.layers[0].change(), Time::from_ns(9));
  EXPECT_EQ(changes.layers[1].layer, "a");
  EXPECT_EQ(changes.layers[1].change(), Time::from_ps(-6000));
}

TEST(RunChanges, NameIdleTimeWhereThereIsAny) {
  Summary before, after;
  before.total = after.total = Time::from_ns(5);
  const std::string row = "\nidle ";
  EXPECT_EQ(text_of(changes_between(before, after, {}), false).find(row), std::string::npos);
  after.time.idle = Time::from_ns(4);
  EXPECT_NE(text_of(changes_between(before, after, {}), false).find(row), std::string::npos);
}

// In the first run one line stands for all links. In the other run one of these links fares differently. The
// links of the other dimension are told apart in both runs.
TEST(RunChanges, LinksOfOtherSetsAreComparedByTheBusiest) {
  const Summary none;
  const std::vector<BusiestLinks> before{{"npu0", "switch4", "d", 4, 0.5}, {"npu0", "npu1", "e", 1, 0.25}};
  const std::vector<BusiestLinks> after{
      {"npu0", "switch4", "d", 3, 0.25}, {"npu1", "switch4", "d", 1, 0.75}, {"npu0", "npu1", "e", 1, 0.125}};
  const std::vector<LinkUseChange> links = changes_between(none, none, {}, before, after).links;
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].before, "npu0 to switch4");
  EXPECT_EQ(links[0].after, "npu1 to switch4");
  EXPECT_EQ(links[0].use_before, 0.5);
  EXPECT_EQ(links[0].use_after, 0.75);
  EXPECT_EQ(links[1].dimension, "e");
  EXPECT_EQ(links[1].change(), -0.125);
}

TEST(RunChanges, LinesFitATerminal) {
  Summary before, after;
  before.name = "before";
  after.name = "after";
  for (int i = 0; i < 30; ++i) {
    const std::string name(40, static_cast<char>('a' + i % 26));
    before.layers.push_back({name + std::to_string(i), Time::from_ns(i), Time(), Time()});
    after.layers.push_back({name + std::to_string(i), Time::from_ns(100 - i), Time(), Time::from_ns(i)});
  }
  before.busiest_links = {{"npu0", "switch1234567", "a long name of a dimension", 1, 0.5}};
  after.busiest_links = {{"npu1", "switch1234567", "another long name", 1, 0.25}};
  const std::string text = text_of(changes_between(before, after, {{"key", "", "value"}}), false);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), terminal_width) << line;
  EXPECT_NE(text.find("and 18 more, which --json tells"), std::string::npos) << text;
  EXPECT_NE(text.find("|########"), std::string::npos) << text;
}

}  // namespace
}  // namespace orrery::core::test::compare_test
