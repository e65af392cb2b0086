#include "study/search/layout_search.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "study/run/run_pool.hpp"
#include "study/workloads/transformer/training_step.hpp"
#include "workload/training/step/step_bound.hpp"
#include "workload/training/step/step_clock.hpp"
#include "workload/training/training_memory.hpp"

namespace orrery::core {

namespace {

// The numbers of layouts that a thread takes at a time, and that are simulated before the best are looked at
// again. They do not depend on the number of threads, so that the same layouts are simulated.
constexpr std::size_t looked_at_together = 64, simulated_by_one = 4, simulated_together = 64;

class Search {
 public:
  Search(const TrainingSetup& base, const SearchOptions& options, const StepListener& progress)
      : base_(base), options_(options), progress_(progress) {
    LegalLayouts legal = legal_layouts(base, options.space);
    layouts_.reserve(legal.layouts.size());
    for (TrainingLayout& layout : legal.layouts) layouts_.push_back({std::move(layout)});
    result_.refused = std::move(legal.refused);
  }

  LayoutSearch run() {
    assess();
    simulate_own();
    simulate_best();
    rank();
    return std::move(result_);
  }

 private:
  double value(const SearchedLayout& layout) const {
    return value_of(options_.objective, layout.layout.plan, layout.step);
  }
  // Calls task(i) for all numbers below `count`.
  template <class Task>
  void for_all(std::size_t count, std::size_t at_a_time, const std::string& what, const Task& task) const {
    run_in_parts(
        count, at_a_time, options_.threads,
        [&](std::size_t begin, std::size_t end) {
          TrainingSetup setup = base_;  // one for all these layouts, as copies take time
          for (std::size_t i = begin; i < end; ++i) task(i, setup);
        },
        [&](std::size_t done) {
          if (progress_) progress_(done, count, what);
        });
  }

  void assess() {
    for_all(layouts_.size(), looked_at_together, "layouts looked at",
            [this](std::size_t i, TrainingSetup& setup) {
              SearchedLayout& layout = layouts_[i];
              take(layout.layout, setup);
              layout.memory = max_memory(setup, blocks_.parts(setup));
              if (layout.memory > usable_memory(setup)) return;
              layout.verdict = LayoutVerdict::beaten;
              layout.step = min_step_time(setup, StageCosts(setup, blocks_));
            });
  }

  // The experiment's own layout is what the best one is compared with, so its time has to be known.
  void simulate_own() {
    SearchedLayout& own = result_.own;
    own = {{base_.plan, base_.schedule}, LayoutVerdict::not_searched};
    own.is_own = true;
    own.memory = max_memory(base_, blocks_.parts(base_));
    const bool fits = own.memory <= usable_memory(base_);
    if (fits) own.step = Seconds::of(training_step_end(base_, StageCosts(base_, blocks_)));
    const auto same = std::ranges::find(layouts_, own.layout, &SearchedLayout::layout);
    if (!fits) own.verdict = LayoutVerdict::out_of_memory;
    if (same == layouts_.end()) return;
    if (fits) own.verdict = LayoutVerdict::simulated;
    *same = own;
  }

  void simulate_best() {
    std::vector<std::size_t> order;
    std::vector<double> best;  // values, ascending
    for (const SearchedLayout& one : layouts_)
      if (one.verdict == LayoutVerdict::simulated) best.push_back(value(one));
    for (std::size_t i = 0; i < layouts_.size(); ++i)
      if (layouts_[i].verdict == LayoutVerdict::beaten) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return value(layouts_[a]) < value(layouts_[b]); });
    const std::size_t together = options_.exhaustive ? order.size() : simulated_together;
    for (std::size_t first = 0; first < order.size(); first += together) {
      const bool full = best.size() >= options_.top;
      if (full && !options_.exhaustive && value(layouts_[order[first]]) > best[options_.top - 1]) return;
      const std::size_t count = std::min(together, order.size() - first);
      for_all(count, simulated_by_one, fmt::format("layouts simulated, after {}", first),
              [&](std::size_t i, TrainingSetup& setup) {
                SearchedLayout& layout = layouts_[order[first + i]];
                take(layout.layout, setup);
                layout.step = Seconds::of(training_step_end(setup, StageCosts(setup, blocks_)));
                layout.verdict = LayoutVerdict::simulated;
              });
      for (std::size_t i = 0; i < count; ++i) best.push_back(value(layouts_[order[first + i]]));
      std::sort(best.begin(), best.end());
    }
  }

  void rank() {
    std::stable_sort(layouts_.begin(), layouts_.end(), [&](const SearchedLayout& a, const SearchedLayout& b) {
      return std::tuple(a.verdict, value(a)) < std::tuple(b.verdict, value(b));
    });
    result_.layouts = std::move(layouts_);
    const std::size_t simulated = result_.count(LayoutVerdict::simulated);
    result_.best.resize(std::min(options_.top, simulated));
    for_all(result_.best.size(), 1, "best layouts explained", [this](std::size_t i, TrainingSetup& setup) {
      take(result_.layouts[i].layout, setup);
      result_.best[i] = simulate_training_step(setup);
    });
  }

  const TrainingSetup& base_;
  const SearchOptions& options_;
  const StepListener& progress_;
  BlockCosts blocks_;
  std::vector<SearchedLayout> layouts_;
  LayoutSearch result_;
};

}  // namespace

std::size_t LayoutSearch::count(LayoutVerdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(layouts.begin(), layouts.end(),
                    [&](const SearchedLayout& layout) { return layout.verdict == verdict; }));
}

LayoutSearch search_layouts(const TrainingSetup& base, const SearchOptions& options,
                            const StepListener& progress) {
  return Search(base, options, progress).run();
}

double value_of(SearchObjective objective, const TransformerPlan& plan, Seconds step) {
  return objective == SearchObjective::time ? step.count() : step.count() * static_cast<double>(plan.ranks());
}

}  // namespace orrery::core
