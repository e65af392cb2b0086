// The search for layouts on a network runs them there as `orrery run` would.
#include "study/search/network_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

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
    EXPECT_GT(one.step, one.platform_step);
  }
  EXPECT_EQ(search.own.step,
            time_with("batch: { global: 32, micro: 4 }\nparallelism: { tensor: 4, data: 2 }\n"));
}

// On the platform, whose boxes have eight GPUs, data parallelism over all of them is the best.
TEST(NetworkSearch, SlowLinksChangeWhichIsTheBest) {
  const Searched searched(boxes + "workload:\n" + model + own_keys);
  const LayoutSearch alone = search_layouts(searched.base, options_of(200));
  const LayoutSearch search = searched.search(options_of(200));
  EXPECT_EQ(alone.layouts.front().layout.plan.data, 8u);
  EXPECT_NE(search.layouts.front().layout, alone.layouts.front().layout);
  EXPECT_GT(search.layouts.front().layout.plan.pipeline, 1u);
  EXPECT_TRUE(std::ranges::is_sorted(std::span(search.layouts).first(200), {}, &SearchedLayout::step));
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
  const LayoutSearch search = searched.search(options_of(3));
  const std::string sentence = best_layout_sentence(searched.base, search);
  EXPECT_NE(sentence.find(" per step on the network, "), std::string::npos) << sentence;
  EXPECT_TRUE(
      sentence.ends_with(" It is the best of 4 layouts that were run on the network: the experiment's "
                         "own and those that are the best by the closed forms of the platform; a "
                         "larger `top` runs more."))
      << sentence;
  EXPECT_EQ(search.count(LayoutVerdict::simulated), 4u);
  EXPECT_TRUE(search.layouts[3].is_own);
  const nlohmann::ordered_json json = layouts_to_json("x", searched.base, search);
  EXPECT_DOUBLE_EQ(json["best"][0]["platform_step_us"], search.layouts[0].platform_step.count() * 1e6);
  EXPECT_EQ(json["estimated"], search.count(LayoutVerdict::estimated));
}

// Ranks what was found on the platform by steps that the test makes up.
class MadeUpRanking : public testing::Test {
 protected:
  LayoutSearch rank(const LayoutRunner& run, std::size_t top) {
    LayoutSearch search = search_layouts(searched_.base, options_of(top));
    rank_on_network(searched_.base, options_of(top), run, {}, search);
    return search;
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
  EXPECT_NE(sentence.find("It is the best of 2 layouts that were run on the network: those that"),
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
    throw StallError(layout == alone_.layouts[0].layout ? "nothing moves" : "little moves");
  };
  try {
    rank(run, 3);
    ADD_FAILURE();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with(fmt::format(
        "step.yaml:6:3: error: none of the 4 layouts that were chosen can be run on the network, the "
        "first ({}) because: nothing moves; a larger `top` tries more",
        layout_text(alone_.layouts[0].layout.plan))))
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

}  // namespace
}  // namespace orrery::core::test::network_search_test
