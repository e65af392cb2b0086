// The search for layouts finds what simulating all of them finds.
#include "study/search/layout_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>

#include "base/input/input_node.hpp"
#include "base/text/readable.hpp"
#include "study/search/best_layout.hpp"
#include "study/search/layout_json.hpp"
#include "study/search/layout_table.hpp"
#include "study/workloads/transformer/training_step.hpp"
#include "study/workloads/transformer/yaml_transformer.hpp"
#include "workload/training/step/step_bound.hpp"
#include "workload/training/step/step_clock.hpp"
#include "workload/training/training_memory.hpp"
#include "workload/transformer/layout_text.hpp"

namespace orrery::core::test::layout_search_test {
namespace {

TrainingSetup base_of(const std::string& workload, const std::string& platform) {
  Warnings warnings;
  return read_yaml_transformer(parse_yaml(workload, "w.yaml"),
                               read_platform(parse_yaml(platform, "p.yaml"), {}, InputLog()), {}, InputLog(),
                               warnings);
}

const std::string dense =
    "{ model: gpt3-6.7b, batch: { global: 64, micro: 1 }, parallelism: { tensor: 2, data: 8 } }";
const std::string fitting =
    "{ model: gpt3-6.7b, batch: { global: 64, micro: 1 }, parallelism: { tensor: 2, data: 8, zero: 1 } }";
const std::string grouped =
    "{ model: llama3-8b, batch: { global: 96 }, attention: flash, overlap: { gradients: false, messages: "
    "true } }";
const std::string experts =
    "{ model: mixtral-8x7b, batch: { global: 64 }, parallelism: { data: 8, expert: 8 } }";

SearchOptions options_for(std::uint64_t gpus, bool fewer = false) {
  SearchOptions options;
  options.space.gpus = gpus;
  options.space.fewer_gpus = fewer;
  options.threads = 2;
  return options;
}

void expect_same_best(const LayoutSearch& one, const LayoutSearch& other) {
  ASSERT_EQ(one.best.size(), other.best.size());
  for (std::size_t i = 0; i < one.best.size(); ++i) {
    EXPECT_EQ(one.layouts[i].layout, other.layouts[i].layout) << "rank " << i + 1;
    EXPECT_EQ(one.layouts[i].step, other.layouts[i].step) << "rank " << i + 1;
  }
}

TEST(LayoutSearch, FindsTheBestOfAllSlow) {
  struct Case {
    std::string workload, platform;
    std::uint64_t gpus;
    SearchObjective objective;
  };
  for (const Case& one : {Case{dense, "dgx-a100", 16, SearchObjective::time},
                          Case{dense, "dgx-a100", 32, SearchObjective::cost},
                          Case{grouped, "dgx-h100", 48, SearchObjective::time},
                          Case{experts, "roce-h100", 32, SearchObjective::time}}) {
    const TrainingSetup base = base_of(one.workload, one.platform);
    SearchOptions options = options_for(one.gpus, one.objective == SearchObjective::cost);
    options.objective = one.objective;
    options.top = 5;
    const LayoutSearch quick = search_layouts(base, options);
    options.exhaustive = true;
    const LayoutSearch all = search_layouts(base, options);
    EXPECT_EQ(all.count(LayoutVerdict::beaten), 0u);
    EXPECT_EQ(quick.layouts.size(), all.layouts.size());
    EXPECT_LT(quick.count(LayoutVerdict::simulated), all.count(LayoutVerdict::simulated)) << one.workload;
    expect_same_best(quick, all);
  }
}

// The bound is what makes leaving layouts out right.
TEST(LayoutSearch, NoStepIsShorterThanItsBound) {
  std::mt19937 random(7);
  for (const std::string& workload : {dense, grouped, experts}) {
    const TrainingSetup base = base_of(workload, "dgx-a100");
    const LegalLayouts legal = legal_layouts(base, {32, true, {}});
    double tightest = 0;
    for (int i = 0; i < 100; ++i) {
      const TrainingLayout& layout = legal.layouts[random() % legal.layouts.size()];
      TrainingSetup setup = base;
      take(layout, setup);
      const Seconds bound = min_step_time(setup, StageCosts(setup));
      const Time step = training_step_end(setup, StageCosts(setup));
      EXPECT_LE(bound, Seconds::of(step)) << layout_keys(base, layout);
      EXPECT_EQ(step, simulate_training_step(setup).step);
      tightest = std::max(tightest, bound.count() / Seconds::of(step).count());
    }
    EXPECT_GT(tightest, 0.95) << workload;
  }
}

TEST(LayoutSearch, ThreadsChangeNothing) {
  const TrainingSetup base = base_of(dense, "dgx-a100");
  SearchOptions options = options_for(16, true);
  for (const LayoutChoice choice : {LayoutChoice::zero, LayoutChoice::sequence, LayoutChoice::context})
    options.space.kept.set(static_cast<std::size_t>(choice));
  std::string texts[2];
  for (const int threads : {1, 2}) {
    options.threads = threads;
    const LayoutSearch search = search_layouts(base, options);
    ASSERT_FALSE(search.best.empty());
    texts[threads - 1] = layout_report("x", base, search) + layouts_csv(base, search) +
                         layouts_to_json("x", base, search).dump();
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(LayoutSearch, EveryLayoutIsLegalDifferentAndUsesItsGpus) {
  const TrainingSetup base = base_of(experts, "dgx-h100");
  const LegalLayouts legal = legal_layouts(base, {64, false, {}});
  ASSERT_GT(legal.layouts.size(), 1000u);
  std::vector<std::string> texts;
  for (const TrainingLayout& layout : legal.layouts) {
    EXPECT_EQ(layout.plan.ranks(), 64u);
    EXPECT_TRUE(
        errors_of_plan(base.model, layout.plan, [](std::string_view) { return SourceLocation{}; }).empty());
    texts.push_back(layout_keys(base, layout));
  }
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(std::adjacent_find(texts.begin(), texts.end()), texts.end());
}

// The best layout that a search prints takes as long when it is run as an experiment.
TEST(LayoutSearch, KeysMakeTheSameRun) {
  const std::string rest =
      "model: mixtral-8x7b\nattention: flash\noverlap: { gradients: false, messages: true }\n";
  const std::string kept =
      "order: [data, expert, tensor, context, pipeline], expert-tensor: false, context-exchange: all-gather, "
      "context: 2, expert: 4";
  const TrainingSetup base =
      base_of(rest + "batch: { global: 96 }\nparallelism: { data: 8, " + kept + " }\n", "dgx-h100");
  SearchOptions options = options_for(48);
  for (const LayoutChoice choice : {LayoutChoice::context, LayoutChoice::expert})
    options.space.kept.set(static_cast<std::size_t>(choice));
  const LayoutSearch search = search_layouts(base, options);
  ASSERT_FALSE(search.best.empty());
  const TrainingSetup again = base_of(rest + layout_keys(base, search.layouts.front().layout), "dgx-h100");
  EXPECT_EQ(Seconds::of(training_step_end(again, StageCosts(again))), search.layouts.front().step);
}

TEST(LayoutSearch, JsonTellsTheBest) {
  const TrainingSetup base = base_of(dense, "dgx-a100");
  SearchOptions options = options_for(16);
  options.top = 3;
  const LayoutSearch search = search_layouts(base, options);
  const nlohmann::ordered_json json = layouts_to_json("x", base, search);
  ASSERT_EQ(json["best"].size(), 3u);
  EXPECT_EQ(json["simulated"].get<std::size_t>() + json["beaten"].get<std::size_t>() +
                json["out_of_memory"].get<std::size_t>(),
            search.layouts.size());
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& one = json["best"][i];
    EXPECT_EQ(one["keys"], layout_keys(base, search.layouts[i].layout));
    EXPECT_DOUBLE_EQ(one["step_us"].get<double>(), search.layouts[i].step.count() * 1e6);
    double parts = one["compute_us"].get<double>() + one["bubble_us"].get<double>();
    for (const auto& [axis, exposed] : one["exposed_by_axis_us"].items()) parts += exposed.get<double>();
    EXPECT_NEAR(parts, one["step_us"].get<double>(), 1e-3) << "in us";
    EXPECT_LE(one["memory_bytes"].get<double>(), json["usable_memory_bytes"].get<double>());
  }
}

// The experiment's own layout is simulated, whether the search would do so or not.
TEST(LayoutSearch, ComparesTheBestWithTheExperimentsOwn) {
  const TrainingSetup base = base_of(fitting, "dgx-a100");
  const LayoutSearch search = search_layouts(base, options_for(16));
  const SearchedLayout &best = search.layouts.front(), &own = search.own;
  EXPECT_EQ(own.layout, (TrainingLayout{base.plan, base.schedule}));
  EXPECT_EQ(own.step, Seconds::of(simulate_training_step(base).step));
  EXPECT_EQ(own.verdict, LayoutVerdict::simulated);
  EXPECT_EQ(std::ranges::count(search.layouts, true, &SearchedLayout::is_own), 1);
  ASSERT_LT(best.step, own.step);
  const std::string sentence = best_layout_sentence(base, search);
  EXPECT_TRUE(sentence.starts_with("The best layout is " + layout_text(best.layout.plan) +
                                   ", on 16 GPUs: " + readable_seconds(best.step.count()) + " per step, "))
      << sentence;
  const std::string ratio =
      fmt::format("{:.3g} times as fast as with the experiment's own layout (tensor 2, data 8, ZeRO 1: ",
                  own.step.count() / best.step.count());
  EXPECT_NE(sentence.find(ratio), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("; it loses most time to " + largest_loss(search.best.front()).what + " ("),
            std::string::npos)
      << sentence;
  EXPECT_TRUE(sentence.ends_with(" of memory that can be used.")) << sentence;
  EXPECT_TRUE(layout_report("x", base, search).starts_with("The best layout is "));
  EXPECT_EQ(layouts_to_json("x", base, search)["verdict"], sentence);
}

TEST(LayoutSearch, ComparesTheExperimentsOwnWithTheNextBest) {
  const TrainingSetup first = base_of(fitting, "dgx-a100");
  TrainingSetup base = first;
  take(search_layouts(first, options_for(16)).layouts.front().layout, base);
  const LayoutSearch search = search_layouts(base, options_for(16));
  EXPECT_TRUE(search.layouts.front().is_own);
  const std::string sentence = best_layout_sentence(base, search);
  EXPECT_TRUE(sentence.starts_with("The best layout is that of the experiment, ")) << sentence;
  EXPECT_NE(sentence.find("with the next best layout (" + layout_text(search.layouts[1].layout.plan)),
            std::string::npos)
      << sentence;
}

// The search is for 8 GPUs, and the experiment has 16.
TEST(LayoutSearch, NamesTheGpusWhereTheyDiffer) {
  const TrainingSetup base = base_of(fitting, "dgx-a100");
  const LayoutSearch search = search_layouts(base, options_for(8));
  EXPECT_EQ(search.own.verdict, LayoutVerdict::not_searched);
  EXPECT_EQ(std::ranges::count(search.layouts, true, &SearchedLayout::is_own), 0);
  const std::string sentence = best_layout_sentence(base, search);
  EXPECT_NE(sentence.find(
                "times as long as with the experiment's own layout (tensor 2, data 8, ZeRO 1 on 16 GPUs: "),
            std::string::npos)
      << sentence;
  EXPECT_NE(sentence.find(" times its GPU time; it loses "), std::string::npos) << sentence;
  const std::string csv = layouts_csv(base, search);
  EXPECT_NE(csv.find("\n,not-searched,16,2,"), std::string::npos);
  EXPECT_EQ(layouts_to_json("x", base, search)["own"]["verdict"], "not-searched");
}

TEST(LayoutSearch, SaysThatTheExperimentsOwnDoesNotFit) {
  const TrainingSetup base =
      base_of("{ model: gpt3-6.7b, batch: { global: 64, micro: 1 }, parallelism: { data: 16 } }", "dgx-a100");
  const LayoutSearch search = search_layouts(base, options_for(16));
  EXPECT_EQ(search.own.verdict, LayoutVerdict::out_of_memory);
  EXPECT_EQ(search.own.step, Seconds());
  const std::string sentence = best_layout_sentence(base, search);
  EXPECT_NE(sentence.find(", where the experiment's own layout (data 16) does not fit, as it needs "),
            std::string::npos)
      << sentence;
}

// By hand: 6 of 40 ms are bubble, and the collectives of tensor parallelism are of three kinds.
TEST(LayoutSearch, NamesTheLargestLoss) {
  TrainingResult result;
  result.step = Time::from_ns_rounded(40e6);
  EXPECT_EQ(largest_loss(result).what, "");
  result.time.bubble = Time::from_ns_rounded(6e6);
  EXPECT_EQ(largest_loss(result).what, "bubble");
  EXPECT_DOUBLE_EQ(largest_loss(result).share, 0.15);
  const auto tensor = static_cast<std::size_t>(Axis::tensor), data = static_cast<std::size_t>(Axis::data);
  result.exposed[data] = Time::from_ns_rounded(7e6);
  result.collectives[data] = {CollectiveKind::all_reduce};
  EXPECT_EQ(largest_loss(result).what, "waiting for data-parallel all-reduces");
  result.exposed[tensor] = Time::from_ns_rounded(8e6);
  result.collectives[tensor] = {CollectiveKind::reduce_scatter, CollectiveKind::all_gather,
                                CollectiveKind::all_reduce};
  EXPECT_EQ(largest_loss(result).what, "waiting for tensor-parallel collectives");
  result.exposed_pipeline = Time::from_ns_rounded(10e6);
  EXPECT_EQ(largest_loss(result).what, "waiting for messages between stages");
  EXPECT_DOUBLE_EQ(largest_loss(result).share, 0.25);
}

TEST(LayoutSearch, KeptChoicesStay) {
  const TrainingSetup base = base_of(dense, "dgx-a100");
  LayoutSpace space{16, false, {}};
  space.kept.set(static_cast<std::size_t>(LayoutChoice::tensor));
  space.kept.set(static_cast<std::size_t>(LayoutChoice::recompute));
  const LegalLayouts legal = legal_layouts(base, space);
  ASSERT_FALSE(legal.layouts.empty());
  for (const TrainingLayout& layout : legal.layouts) {
    EXPECT_EQ(layout.plan.tensor, 2u);
    EXPECT_EQ(layout.plan.recompute, Recompute::none);
  }
}

TEST(LayoutSpace, StagesInTheMiddleTakeTheRest) {
  EXPECT_EQ(uneven_stages(126, 16),
            (std::vector<std::uint64_t>{7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7}));
  EXPECT_EQ(uneven_stages(12, 4), (std::vector<std::uint64_t>{3, 3, 3, 3}));
  EXPECT_EQ(uneven_stages(5, 4), (std::vector<std::uint64_t>{1, 2, 1, 1}));
}

TEST(LayoutSpace, SaysWhichAxesCannotBe) {
  const TrainingSetup base = base_of(dense, "dgx-a100");
  const LegalLayouts legal = legal_layouts(base, {48, false, {}});
  ASSERT_FALSE(legal.refused.empty());
  bool found = false;
  for (const RefusedShapes& refused : legal.refused) {
    EXPECT_GT(refused.count, 0u);
    if (refused.key == "tensor") found = refused.example.find("heads") != std::string::npos;
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace orrery::core::test::layout_search_test
