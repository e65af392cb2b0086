#include "study/search/network_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <tuple>
#include <utility>

#include "study/run/run_pool.hpp"
#include "study/search/layout_table.hpp"
#include "workload/transformer/layout_text.hpp"

namespace orrery::core {

namespace {

class NetworkRanking {
 public:
  NetworkRanking(const TrainingSetup& base, const SearchOptions& options, const LayoutRunner& run,
                 const StepListener& progress, LayoutSearch& search)
      : base_(base), options_(options), run_(run), progress_(progress), search_(search) {}

  void rank() {
    keep_estimates();
    choose();
    run_chosen();
    require_one();
    const auto own = std::ranges::find(search_.layouts, true, &SearchedLayout::is_own);
    if (own != search_.layouts.end()) search_.own = *own;
    keep_best_results();
    std::ranges::stable_sort(search_.layouts, [this](const SearchedLayout& a, const SearchedLayout& b) {
      return std::tuple(a.verdict, value(a)) < std::tuple(b.verdict, value(b));
    });
  }

 private:
  double value(const SearchedLayout& layout) const {
    return value_of(options_.objective, layout.layout.plan, layout.step);
  }

  void keep_estimates() {
    const auto keep = [](SearchedLayout& layout) {
      layout.platform_step = std::exchange(layout.step, Seconds());
      if (layout.verdict == LayoutVerdict::simulated) layout.verdict = LayoutVerdict::estimated;
    };
    std::ranges::for_each(search_.layouts, keep);
    keep(search_.own);
    search_.on_network = true;
  }

  // Chooses the best layouts, which are the first ones, and the experiment's own.
  void choose() {
    const std::size_t best = search_.best.size();
    for (std::size_t i = 0; i < search_.layouts.size(); ++i) {
      SearchedLayout& layout = search_.layouts[i];
      if (i < best || (layout.is_own && layout.verdict == LayoutVerdict::estimated))
        chosen_.push_back(&layout);
    }
    if (search_.own.verdict == LayoutVerdict::not_searched && search_.own.platform_step > Seconds())
      chosen_.push_back(&search_.own);
  }

  void run_chosen() {
    results_.resize(chosen_.size());
    errors_.resize(chosen_.size());
    std::atomic<std::size_t> done = 0;
    const auto tell = [&] {
      if (progress_) progress_(done, chosen_.size(), "layouts run on the network");
    };
    run_in_order(
        chosen_.size(), options_.threads,
        [&](std::size_t i) {
          run_one(i, [&](double, Time) { tell(); });
          ++done;
          tell();
        },
        [](std::size_t) {});
  }

  void run_one(std::size_t i, const ProgressListener& progress) {
    SearchedLayout& layout = *chosen_[i];
    const bool is_ranked = layout.verdict == LayoutVerdict::estimated;
    try {
      results_[i] = run_(layout.layout, progress);
      layout.step = Seconds::of(results_[i].step);
      if (is_ranked) layout.verdict = LayoutVerdict::simulated;
      return;
    } catch (const InputError& error) {
      layout.failure = error.message();
      errors_[i] = std::current_exception();
    } catch (const StallError& error) {
      layout.failure = error.what();
      errors_[i] = std::current_exception();
    }
    if (is_ranked) layout.verdict = LayoutVerdict::failed;
  }

  // Throws where no layout can be ranked. If all fail alike, the fault is not in the layouts, so the error is
  // that of any run of the experiment.
  void require_one() const {
    const auto has = [](LayoutVerdict verdict) {
      return [verdict](const SearchedLayout* one) { return one->verdict == verdict; };
    };
    if (std::ranges::any_of(chosen_, has(LayoutVerdict::simulated))) return;
    const SearchedLayout& first = *chosen_.front();
    const auto fails_alike = [&](const SearchedLayout* one) { return one->failure == first.failure; };
    if (std::ranges::all_of(chosen_, fails_alike)) std::rethrow_exception(errors_.front());
    throw InputError(
        base_.where,
        fmt::format("none of the {} layouts that were chosen can be run on the network, the first "
                    "({}) because: {}; a larger `top` tries more",
                    std::ranges::count_if(chosen_, has(LayoutVerdict::failed)),
                    layout_text(first.layout.plan), first.failure));
  }

  // They become those of the first layouts.
  void keep_best_results() {
    std::vector<std::size_t> ranked;
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      if (chosen_[i]->verdict == LayoutVerdict::simulated) ranked.push_back(i);
    std::ranges::stable_sort(ranked, {}, [this](std::size_t i) { return value(*chosen_[i]); });
    ranked.resize(std::min(ranked.size(), options_.top));
    search_.best.clear();
    for (const std::size_t i : ranked) search_.best.push_back(std::move(results_[i]));
  }

  const TrainingSetup& base_;
  const SearchOptions& options_;
  const LayoutRunner& run_;
  const StepListener& progress_;
  LayoutSearch& search_;
  std::vector<SearchedLayout*> chosen_;
  std::vector<TrainingResult> results_;     // of these
  std::vector<std::exception_ptr> errors_;  // of these; null where the run ended well
};

}  // namespace

void rank_on_network(const TrainingSetup& base, const SearchOptions& options, const LayoutRunner& run,
                     const StepListener& progress, LayoutSearch& search) {
  NetworkRanking(base, options, run, progress, search).rank();
}

LayoutSearch search_experiment(const SearchedExperiment& searched, const TrainingSetup& base,
                               const SearchOptions& options, const StepListener& progress) {
  LayoutSearch search = search_layouts(base, options, progress);
  if (search.best.empty()) throw InputError(base.where, why_none_fits(base, search));
  if (!searched.experiment.runs.front().has_network()) return search;
  const LayoutRunner run = [&](const TrainingLayout& layout, const ProgressListener& told) {
    return run_layout(searched, base, layout, told);
  };
  rank_on_network(base, options, run, progress, search);
  return search;
}

}  // namespace orrery::core
