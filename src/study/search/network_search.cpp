#include "study/search/network_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <tuple>
#include <utility>

#include "study/run/run_pool.hpp"
#include "study/search/estimated_layouts.hpp"
#include "study/search/layout_table.hpp"
#include "workload/transformer/layout_text.hpp"

namespace orrery::core {

namespace {

class NetworkRanking {
 public:
  NetworkRanking(const TrainingSetup& base, const SearchOptions& options, const LayoutRunner& run,
                 const MoreEstimates& estimate, const StepListener& progress, LayoutSearch& search)
      : base_(base),
        options_(options),
        run_(run),
        estimate_(estimate),
        progress_(progress),
        search_(search) {}

  void rank() {
    choose_own();
    while (run_next()) {
    }
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
    const bool is_simulated = layout.verdict == LayoutVerdict::simulated;
    return value_of(options_.objective, layout.layout.plan, is_simulated ? layout.step : layout.estimate);
  }

  // The experiment's own layout is run in any case, and first.
  void choose_own() {
    SearchedLayout& own = search_.own;
    const auto same = std::ranges::find(search_.layouts, true, &SearchedLayout::is_own);
    SearchedLayout& one = same == search_.layouts.end() ? own : *same;
    if (one.verdict == LayoutVerdict::estimated ||
        (one.verdict == LayoutVerdict::not_searched && one.failure.empty()))
      chosen_.push_back(&one);
  }

  std::vector<Contender> contenders() {
    contenders_.clear();
    std::vector<Contender> known;
    for (SearchedLayout& one : search_.layouts) {
      const bool is_simulated = one.verdict == LayoutVerdict::simulated;
      const bool has_failed =
          one.verdict == LayoutVerdict::failed && std::ranges::find(chosen_, &one) != chosen_.end();
      if (one.is_own || (one.verdict != LayoutVerdict::estimated && !is_simulated && !has_failed)) continue;
      contenders_.push_back(&one);
      known.push_back({value(one), is_simulated, has_failed});
    }
    return known;
  }

  // Returns whether there was something to run.
  bool run_next() {
    const std::size_t most = options_.exhaustive ? search_.layouts.size() : options_.most_network_runs();
    const std::size_t top = options_.exhaustive ? search_.layouts.size() : options_.top;
    std::vector<Contender> known = contenders();
    const auto was_run = [](const Contender& one) { return one.is_simulated || one.has_failed; };
    if (static_cast<std::size_t>(std::ranges::count_if(known, was_run)) >= most) return false;
    if (const auto to_beat = value_to_beat(known, top); to_beat && estimate_) {
      estimate_(*to_beat);
      known = contenders();
    }
    const std::vector<std::size_t> next = next_contenders(known, top, most);
    for (const std::size_t place : next) chosen_.push_back(contenders_[place]);
    run_chosen();
    return !next.empty();
  }

  void run_chosen() {
    const std::size_t first = results_.size();
    results_.resize(chosen_.size());
    errors_.resize(chosen_.size());
    std::atomic<std::size_t> done = first;
    const auto tell = [&] {
      if (progress_) progress_(done, chosen_.size(), "layouts run on the network");
    };
    run_in_order(
        chosen_.size() - first, options_.threads,
        [&](std::size_t i) {
          run_one(first + i, [&](double, Time) { tell(); });
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
    if (chosen_.empty()) throw_where_none_can_be_run();
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

  [[noreturn]] void throw_where_none_can_be_run() const {
    const auto failed = std::ranges::find(search_.layouts, LayoutVerdict::failed, &SearchedLayout::verdict);
    throw InputError(base_.where,
                     fmt::format("the network can carry the exchanges of no layout, such as {}: {}",
                                 layout_text(failed->layout.plan), failed->failure));
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
  const MoreEstimates& estimate_;
  const StepListener& progress_;
  LayoutSearch& search_;
  std::vector<SearchedLayout*> contenders_;  // those of contenders()
  std::vector<SearchedLayout*> chosen_;      // in the order in which they were
  std::vector<TrainingResult> results_;      // of these
  std::vector<std::exception_ptr> errors_;   // of these; null where the run ended well
};

}  // namespace

void rank_on_network(const TrainingSetup& base, const SearchOptions& options, const LayoutRunner& run,
                     const MoreEstimates& estimate, const StepListener& progress, LayoutSearch& search) {
  NetworkRanking(base, options, run, estimate, progress, search).rank();
}

std::optional<double> value_to_beat(std::span<const Contender> contenders, std::size_t top) {
  std::vector<double> values;
  for (const Contender& one : contenders)
    if (one.is_simulated) values.push_back(one.value);
  if (values.size() < top) return std::nullopt;
  std::ranges::sort(values);
  return values[top - 1];
}

std::vector<std::size_t> next_contenders(std::span<const Contender> contenders, std::size_t top,
                                         std::size_t most) {
  std::size_t simulated = 0, failed = 0;
  std::vector<std::size_t> left;
  for (std::size_t place = 0; place < contenders.size(); ++place) {
    const Contender& one = contenders[place];
    simulated += one.is_simulated;
    failed += one.has_failed;
    if (!one.is_simulated && !one.has_failed) left.push_back(place);
  }
  const auto value = [&](std::size_t place) { return contenders[place].value; };
  std::ranges::stable_sort(left, {}, value);
  std::size_t wanted = top - std::min(top, simulated);
  if (const auto to_beat = value_to_beat(contenders, top)) {
    std::erase_if(left, [&](std::size_t place) { return value(place) >= *to_beat; });
    wanted = top;
  }
  const std::size_t attempts = simulated + failed;
  left.resize(std::min({left.size(), wanted, most - std::min(most, attempts)}));
  return left;
}

LayoutSearch search_experiment(const SearchedExperiment& searched, const TrainingSetup& base,
                               const SearchOptions& options, const StepListener& progress) {
  const RunSpec& spec = searched.experiment.runs.front();
  const auto require_one = [&](const LayoutSearch& found) {
    const bool fits = found.layouts.size() > found.count(LayoutVerdict::out_of_memory);
    if (!fits) throw InputError(base.where, why_none_fits(base, found));
  };
  if (!spec.has_network()) {
    LayoutSearch search = search_layouts(base, options, progress);
    require_one(search);
    return search;
  }
  const StepEstimates estimates(spec, base);
  EstimatedLayouts estimated(base, estimates, on_network_of(spec, base, options), progress);
  require_one(estimated.search());
  estimated.estimate_best();
  estimated.estimate_own();
  const LayoutRunner run = [&](const TrainingLayout& layout, const ProgressListener& told) {
    return run_layout(searched, base, layout, told);
  };
  const MoreEstimates estimate = [&](double value) { estimated.estimate_below(value); };
  rank_on_network(base, options, run, estimate, progress, estimated.search());
  return std::move(estimated.search());
}

}  // namespace orrery::core
