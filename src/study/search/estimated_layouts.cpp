#include "study/search/estimated_layouts.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "study/run/run_pool.hpp"
#include "workload/training/training_memory.hpp"

namespace orrery::core {

namespace {

// Layouts that are looked at before the best are looked at again. They do not depend on the number of
// threads.
constexpr std::size_t bounded_at_once = 64, estimated_at_once = 4;

// Layouts that a thread takes at a time where each takes little.
constexpr std::size_t assessed_together = 64;

}  // namespace

EstimatedLayouts::EstimatedLayouts(const TrainingSetup& base, const StepEstimates& estimates,
                                   const SearchOptions& options, StepListener progress)
    : base_(base), estimates_(estimates), options_(options), progress_(std::move(progress)) {
  LegalLayouts legal = legal_layouts(base, options.space);
  search_.layouts.reserve(legal.layouts.size());
  for (TrainingLayout& layout : legal.layouts) search_.layouts.push_back({std::move(layout)});
  search_.refused = std::move(legal.refused);
  search_.on_network = true;
  assess();
  assess_own();
}

void EstimatedLayouts::estimate_best() {
  // As long as there are no estimates, the best bounds stand for them.
  bound_while([this](double bound) { return bound <= limit_of(bounds_found_); });
  const GoesOn may_be_among_the_best = [this](double bound) { return bound < limit_of(estimates_found_); };
  do {
    estimate_while(may_be_among_the_best);
    bound_while(may_be_among_the_best);
  } while (!bounded_.empty() && may_be_among_the_best(least_bound()));
}

void EstimatedLayouts::estimate_own() {
  SearchedLayout& own = search_.own;
  if (own.verdict == LayoutVerdict::not_searched) set(own, &StepEstimates::with_contention);
  const auto same = std::ranges::find(search_.layouts, true, &SearchedLayout::is_own);
  if (same == search_.layouts.end()) return;
  if (own.verdict == LayoutVerdict::not_searched) own.verdict = LayoutVerdict::estimated;
  *same = own;
  std::erase(bounded_, static_cast<std::size_t>(same - search_.layouts.begin()));
}

void EstimatedLayouts::estimate_below(double value) {
  const GoesOn may_be_below = [value](double bound) { return bound < value; };
  bound_while(may_be_below);
  estimate_while(may_be_below);
}

void EstimatedLayouts::for_all(std::size_t count, std::size_t at_a_time, const char* what,
                               const std::function<void(std::size_t)>& task) const {
  run_in_parts(
      count, at_a_time, options_.threads,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) task(i);
      },
      [&](std::size_t done) {
        if (progress_) progress_(done, count, what);
      });
}

void EstimatedLayouts::assess() {
  const double usable = usable_memory(base_);
  for_all(search_.layouts.size(), assessed_together, "layouts looked at", [&](std::size_t i) {
    SearchedLayout& one = search_.layouts[i];
    one.memory = estimates_.memory(one.layout);
    if (one.memory > usable) return;
    one.verdict = LayoutVerdict::beaten;
    one.estimate = estimates_.lower_bound(one.layout);
  });
  for (std::size_t i = 0; i < search_.layouts.size(); ++i)
    if (search_.layouts[i].verdict == LayoutVerdict::beaten) order_.push_back(i);
  std::ranges::stable_sort(order_, {}, [this](std::size_t i) { return value(i); });
}

// The experiment's own layout is what the best one is compared with.
void EstimatedLayouts::assess_own() {
  SearchedLayout& own = search_.own;
  own = {{base_.plan, base_.schedule}, LayoutVerdict::not_searched};
  own.is_own = true;
  own.memory = estimates_.memory(own.layout);
  if (own.memory > usable_memory(base_)) own.verdict = LayoutVerdict::out_of_memory;
  const auto same = std::ranges::find(search_.layouts, own.layout, &SearchedLayout::layout);
  if (same != search_.layouts.end()) same->is_own = true;
}

double EstimatedLayouts::limit_of(std::vector<double>& values) const {
  if (options_.exhaustive || values.size() < options_.top) return std::numeric_limits<double>::infinity();
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(options_.top - 1));
  return values[options_.top - 1];
}

void EstimatedLayouts::set(SearchedLayout& layout,
                           Seconds (StepEstimates::*estimate)(const TrainingLayout&) const) const {
  try {
    layout.estimate = std::max(layout.estimate, (estimates_.*estimate)(layout.layout));
  } catch (const InputError& error) {
    layout.verdict = LayoutVerdict::failed;
    layout.failure = error.message();
  }
}

double EstimatedLayouts::least_bound() const {
  return value(*std::ranges::min_element(bounded_, {}, [this](std::size_t i) { return value(i); }));
}

void EstimatedLayouts::bound_while(const GoesOn& goes_on) {
  while (next_ < order_.size() && goes_on(value(order_[next_]))) {
    const std::size_t first = next_;
    next_ = std::min(order_.size(), next_ + bounded_at_once);
    for_all(next_ - first, 1, "layouts bounded by closed forms",
            [&](std::size_t i) { set(search_.layouts[order_[first + i]], &StepEstimates::by_closed_forms); });
    for (std::size_t i = first; i < next_; ++i)
      if (search_.layouts[order_[i]].verdict == LayoutVerdict::beaten) {
        bounded_.push_back(order_[i]);
        bounds_found_.push_back(value(order_[i]));
      }
  }
}

void EstimatedLayouts::estimate_while(const GoesOn& goes_on) {
  for (;;) {
    const std::vector<std::size_t> next = next_to_estimate(goes_on);
    if (next.empty()) return;
    for_all(next.size(), 1, "layouts estimated", [&](std::size_t i) {
      SearchedLayout& one = search_.layouts[next[i]];
      one.verdict = LayoutVerdict::estimated;
      set(one, &StepEstimates::with_contention);
    });
    for (const std::size_t i : next)
      if (search_.layouts[i].verdict == LayoutVerdict::estimated) estimates_found_.push_back(value(i));
  }
}

// Returns those with the least bounds. A bound may have risen since it was found, by what estimates of others
// have shown about the network.
std::vector<std::size_t> EstimatedLayouts::next_to_estimate(const GoesOn& goes_on) {
  const auto is_later = [this](std::size_t a, std::size_t b) {
    return value(a) != value(b) ? value(a) > value(b) : a > b;
  };
  std::ranges::make_heap(bounded_, is_later);
  std::vector<std::size_t> next;
  std::set<std::size_t> looked_at;  // again
  while (next.size() < estimated_at_once && !bounded_.empty() && goes_on(value(bounded_.front()))) {
    std::ranges::pop_heap(bounded_, is_later);
    const std::size_t first = bounded_.back();
    const double before = value(first);
    if (looked_at.insert(first).second) set(search_.layouts[first], &StepEstimates::by_what_is_known);
    if (value(first) > before) {
      std::ranges::push_heap(bounded_, is_later);
      continue;
    }
    bounded_.pop_back();
    next.push_back(first);
  }
  return next;
}

SearchOptions on_network_of(const RunSpec& run, const TrainingSetup& base, SearchOptions options) {
  if (!base.library)
    options.space.in_node = static_cast<std::uint64_t>(run.topology->dimensions.front().size);
  return options;
}

}  // namespace orrery::core
