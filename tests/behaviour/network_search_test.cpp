// The search for layouts on a network runs them there as `orrery run` would.
#include "study/search/network_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "study/run/run.hpp"
#include "study/search/best_layout.hpp"
#include "study/search/layout_json.hpp"
#include "study/search/layout_table.hpp"
#include "study/search/searched_training.hpp"
#include "workload/transformer/layout_text.hpp"

namespace orrery::core::test::network_search_test {
namespace {

const std::string file = "step.yaml";

// Two boxes of four, between which links are slow.
const std::string boxes =
    "platform: dgx-h100\n"
    "network:\n"
    "  - { name: box, topology: switch, size: 4, bandwidth: 450 GB/s, latency: 500 ns }\n"
    "  - { name: between, topology: switch, size: 2, bandwidth: 100 MB/s, latency: 5 us }\n";
const std::string model = "  model: gpt3-350m\n";
const std::string own_keys = "  batch: { global: 32, micro: 4 }\n  parallelism: { tensor: 4, data: 2 }\n";

struct Searched {
  explicit Searched(const std::string& text)
      : document(parse_yaml(text, file)),
        experiment(read_experiment(document, file, {}, warnings, load)),
        base(searched_training(experiment, document, file)) {}

  LayoutSearch search(const SearchOptions& options) const {
    return search_experiment({experiment, document, file, load}, base, options);
  }

  Warnings warnings;
  FileLoader load = InputLog();
  InputNode document;
  Experiment experiment;
  const TrainingSetup& base;
};

SearchOptions options_of(std::size_t top, int threads = 2) {
  SearchOptions options;
  options.space.gpus = 8;
  options.top = top;
  options.threads = threads;
  return options;
}

// Returns the time that `orrery run` gives for a run whose workload has these keys.
Seconds time_with(std::string keys) {
  for (std::size_t line = 0; line < keys.size(); line = keys.find('\n', line) + 1) keys.insert(line, "  ");
  const Searched changed(boxes + "workload:\n" + model + keys);
  Warnings warnings;
  const RunSpec& spec = changed.experiment.runs.front();
  return Seconds::of(spec.workload->summary(spec, carry_out(spec, warnings)).total);
}

TEST(NetworkSearch, StepsAreThoseOfRunsWithTheKeys) {
  const Searched searched(boxes + "workload:\n" + model + own_keys);
  const LayoutSearch search = searched.search(options_of(3));
  ASSERT_EQ(search.best.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const SearchedLayout& one = search.layouts[i];
    EXPECT_EQ(one.step, time_with(layout_keys(searched.base, one.layout)));
    EXPECT_EQ(one.step, Seconds::of(search.best[i].step));
    EXPECT_GE(one.step, one.estimate);
  }
  EXPECT_EQ(search.own.step,
            time_with("batch: { global: 32, micro: 4 }\nparallelism: { tensor: 4, data: 2 }\n"));
}

// On the platform, whose boxes have eight GPUs, data parallelism over all of them is the best.
TEST(NetworkSearch, SlowLinksChangeWhichIsTheBest) {
  const Searched searched(boxes + "workload:\n" + model + own_keys);
  const LayoutSearch alone = search_layouts(searched.base, options_of(200));
  const LayoutSearch search = searched.search(options_of(20));
  EXPECT_EQ(alone.layouts.front().layout.plan.data, 8u);
  EXPECT_NE(search.layouts.front().layout, alone.layouts.front().layout);
  EXPECT_GT(search.layouts.front().layout.plan.pipeline, 1u);
  EXPECT_TRUE(std::ranges::is_sorted(std::span(search.layouts).first(20), {}, &SearchedLayout::step));
}

TEST(NetworkSearch, ThreadsChangeNothing) {
  const Searched searched(boxes + "workload:\n" + model + own_keys);
  std::string texts[2];
  for (const int threads : {1, 2}) {
    const LayoutSearch search = searched.search(options_of(5, threads));
    texts[threads - 1] = layout_report("x", searched.base, search) + layouts_csv(searched.base, search) +
                         layouts_to_json("x", searched.base, search).dump();
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(NetworkSearch, KeysReplaceThoseOfPiecesWithABase) {
  const Searched searched(boxes +
                          "workloads:\n  below: { model: gpt3-350m, batch: { global: 32, micro: 4 }, "
                          "parallelism: { tensor: 4, data: 2, zero: 1 }, recompute: full }\n"
                          "runs:\n  - { name: one, workload: { base: below, optimizer: sgd } }\n");
  TrainingLayout layout{searched.base.plan};
  layout.plan.tensor = 1;
  layout.plan.data = 8;
  layout.plan.zero = 0;
  layout.plan.recompute = Recompute::none;
  const TrainingResult result =
      run_layout({searched.experiment, searched.document, file, searched.load}, searched.base, layout);
  EXPECT_EQ(Seconds::of(result.step), time_with("batch: { global: 32, micro: 4 }\nparallelism: { data: 8 }\n"
                                                "optimizer: sgd\n"));
}

TEST(NetworkSearch, SaysWhatWasRun) {
  const Searched searched(boxes + "workload:\n" + model + own_keys);
  SearchOptions options = options_of(3);
  options.network_runs = 3;
  const LayoutSearch search = searched.search(options);
  const std::string sentence = best_layout_sentence(searched.base, search);
  EXPECT_NE(sentence.find(" per step on the network, "), std::string::npos) << sentence;
  EXPECT_NE(
      sentence.find(" It is the best of 4 layouts that were run on the network: the experiment's own and "
                    "those with the shortest estimates"),
      std::string::npos)
      << sentence;
  EXPECT_EQ(search.count(LayoutVerdict::simulated), 4u);
  EXPECT_TRUE(search.layouts[3].is_own);
  const nlohmann::ordered_json json = layouts_to_json("x", searched.base, search);
  EXPECT_DOUBLE_EQ(json["best"][0]["estimated_step_us"], search.layouts[0].estimate.count() * 1e6);
  EXPECT_EQ(json["estimated"], search.count(LayoutVerdict::estimated));
}

// Ranks what was found on the platform, whose steps stand for estimates, by steps that the test makes up.
class MadeUpRanking : public testing::Test {
 protected:
  LayoutSearch rank(const LayoutRunner& run, std::size_t top, std::size_t network_runs = 0) {
    LayoutSearch search = search_layouts(searched_.base, options_of(top));
    search.on_network = true;
    search.best.clear();
    for (std::size_t i = 0; i < search.layouts.size(); ++i) become_estimated(search.layouts[i], i < top);
    become_estimated(search.own, true);
    SearchOptions options = options_of(top);
    options.network_runs = network_runs;
    rank_on_network(searched_.base, options, run, {}, {}, search);
    return search;
  }

  static void become_estimated(SearchedLayout& layout, bool is_among_the_best) {
    layout.estimate = std::exchange(layout.step, Seconds());
    if (layout.verdict == LayoutVerdict::simulated)
      layout.verdict = is_among_the_best || layout.is_own ? LayoutVerdict::estimated : LayoutVerdict::beaten;
  }

  static TrainingResult taking(double seconds) {
    TrainingResult result;
    result.step = Time::from_ns_rounded(seconds * 1e9);
    return result;
  }

  const Searched searched_{boxes + "workload:\n" + model + own_keys};
  const LayoutSearch alone_ = search_layouts(searched_.base, options_of(3));
};

TEST_F(MadeUpRanking, GoesOnWhereSomeFail) {
  const LayoutRunner run = [this](const TrainingLayout& layout, const ProgressListener&) {
    if (layout == alone_.layouts[0].layout) throw InputError({"here"}, "the first is wrong, leave it");
    if (layout == alone_.own.layout) throw StallError("it never ends");
    return taking(layout == alone_.layouts[1].layout ? 3 : 2);
  };
  const LayoutSearch search = rank(run, 3);
  ASSERT_EQ(search.best.size(), 2u);
  EXPECT_EQ(search.layouts[0].layout, alone_.layouts[2].layout);
  EXPECT_EQ(search.best[0].step, taking(2).step);
  EXPECT_EQ(search.layouts[1].layout, alone_.layouts[1].layout);
  EXPECT_EQ(search.layouts[2].layout, alone_.layouts[0].layout);
  EXPECT_EQ(search.layouts[2].verdict, LayoutVerdict::failed);
  EXPECT_EQ(search.layouts[2].failure, "the first is wrong, leave it");
  EXPECT_EQ(search.own.failure, "it never ends");
  EXPECT_EQ(search.count(LayoutVerdict::failed), 2u);
  const std::string report = layout_report("x", searched_.base, search);
  EXPECT_NE(report.find("2 layouts fail on the network, such as "), std::string::npos) << report;
  const std::string sentence = best_layout_sentence(searched_.base, search);
  EXPECT_NE(sentence.find(
                ", where the run of the experiment's own layout (tensor 4, data 2, micro-batch 4) fails;"),
            std::string::npos)
      << sentence;
  EXPECT_NE(sentence.find("It is the best of 2 layouts that were run on the network: those with"),
            std::string::npos)
      << sentence;
  EXPECT_EQ(layouts_to_json("x", searched_.base, search)["failed"].size(), 2u);
}

TEST_F(MadeUpRanking, IsTheErrorOfAnyRunWhereAllFailAlike) {
  const LayoutRunner run = [](const TrainingLayout&, const ProgressListener&) -> TrainingResult {
    throw StallError("nothing moves");
  };
  EXPECT_THROW(rank(run, 3), StallError);
}

TEST_F(MadeUpRanking, IsAnErrorWhereAllFail) {
  const LayoutRunner run = [this](const TrainingLayout& layout, const ProgressListener&) -> TrainingResult {
    throw StallError(layout == alone_.own.layout ? "nothing moves" : "little moves");
  };
  try {
    rank(run, 3);
    ADD_FAILURE();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with(fmt::format(
        "step.yaml:6:3: error: none of the 4 layouts that were chosen can be run on the network, the "
        "first ({}) because: nothing moves; a larger `top` tries more",
        layout_text(alone_.own.layout.plan))))
        << text;
  }
}

TEST_F(MadeUpRanking, EndsWhereItIsStopped) {
  const LayoutRunner run = [](const TrainingLayout&, const ProgressListener&) -> TrainingResult {
    throw Stopped();
  };
  EXPECT_THROW(rank(run, 3), Stopped);
}

TEST_F(MadeUpRanking, KeepsItsTopWithTheExperimentsOwn) {
  const LayoutRunner run = [this](const TrainingLayout& layout, const ProgressListener&) {
    return taking(layout == alone_.own.layout ? 1 : 2);
  };
  const LayoutSearch search = rank(run, 1);
  ASSERT_EQ(search.best.size(), 1u);
  EXPECT_TRUE(search.layouts[0].is_own);
  EXPECT_EQ(search.best[0].step, taking(1).step);
  EXPECT_EQ(search.layouts[1].step, Seconds(2));
  EXPECT_EQ(search.count(LayoutVerdict::simulated), 2u);
}

TEST(NextContenders, AreThoseWithTheBestEstimates) {
  const std::vector<Contender> none_run{{3}, {1}, {2}, {4}};
  EXPECT_EQ(next_contenders(none_run, 2, 10), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(next_contenders(none_run, 3, 2), (std::vector<std::size_t>{1, 2}));
  EXPECT_FALSE(value_to_beat(none_run, 1));
}

// The one with the estimate 2 took 5, and so the one with the estimate 3 may be better.
TEST(NextContenders, AreThoseThatMayBeatTheBest) {
  const std::vector<Contender> two_run{{3}, {1, true}, {5, true}, {6}};
  EXPECT_EQ(value_to_beat(two_run, 2), 5);
  EXPECT_EQ(next_contenders(two_run, 2, 10), (std::vector<std::size_t>{0}));
  EXPECT_TRUE(next_contenders(two_run, 2, 2).empty());
  EXPECT_TRUE(next_contenders(two_run, 1, 10).empty());
}

TEST(NextContenders, TakeThePlacesOfThoseThatFailed) {
  const std::vector<Contender> one_failed{{3}, {1, false, true}, {2, true}};
  EXPECT_EQ(next_contenders(one_failed, 2, 10), (std::vector<std::size_t>{0}));
}

// Two boxes of eight, with a quarter of the cables above the leaves, where exchanges of all kinds meet.
const std::string fabric =
    "platform: dgx-h100\n"
    "network:\n"
    "  build: fat-tree\n"
    "  inside: { build: nvlink, size: 4, switches: 2, links: 18, link: { bandwidth: 25 GB/s, latency: 100 ns "
    "}, "
    "nics: { count: 4, link: { bandwidth: 64 GB/s, latency: 500 ns } } }\n"
    "  link: { bandwidth: 12.5 GB/s, latency: 500 ns }\n"
    "  levels: [ { size: 1 }, { size: 2, oversubscription: 4 } ]\n";

TEST(NetworkSearch, FindsWhatSimulatingAllLayoutsFindsSlow) {
  const Searched searched(fabric +
                          "workload:\n  model: gpt3-125m\n  batch: { global: 8, micro: 1 }\n"
                          "  parallelism: { tensor: 2, data: 4 }\n");
  SearchOptions all = options_of(3);
  all.exhaustive = true;
  const LayoutSearch exhaustive = searched.search(all), search = searched.search(options_of(3));
  ASSERT_EQ(exhaustive.count(LayoutVerdict::simulated), exhaustive.layouts.size());
  EXPECT_GT(exhaustive.layouts.size(), 300u);
  EXPECT_LT(search.count(LayoutVerdict::simulated), 10u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(search.layouts[i].step, exhaustive.layouts[i].step);
    EXPECT_EQ(search.layouts[i].layout, exhaustive.layouts[i].layout);
  }
  // Estimates take the mean over a pass for what collectives cost its computation.
  constexpr double contention = 2e-3;
  for (const SearchedLayout& one : exhaustive.layouts)
    EXPECT_LE(one.estimate.count(), one.step.count() * (1 + contention)) << layout_text(one.layout.plan);
}

}  // namespace
}  // namespace orrery::core::test::network_search_test
