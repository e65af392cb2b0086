#include "study/search/estimated_layouts.hpp"

#include <algorithm>
#include <atomic>
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

class EstimatedLayouts::Order {
 public:
  Order(const TrainingSetup& base, const StepEstimates& estimates, const SearchOptions& options,
        StepListener progress)
      : base_(base), estimates_(estimates), options_(options), progress_(std::move(progress)) {
    LegalLayouts legal = legal_layouts(base, options.space);
    layouts_.reserve(legal.layouts.size());
    for (TrainingLayout& layout : legal.layouts) layouts_.push_back({std::move(layout)});
    search_.refused = std::move(legal.refused);
    search_.on_network = true;
    assess();
    assess_own();
  }

  LayoutSearch& search() { return search_; }

  void estimate_best() {
    // As long as there are no estimates, the best bounds stand for them.
    bound_while([this](double bound) { return bound <= limit_of(bounds_found_); });
    do {
      estimate_while([this](double bound) { return bound < limit_of(estimates_found_); });
      bound_while([this](double bound) { return bound < limit_of(estimates_found_); });
    } while (!bounded_.empty() && least_bound() < limit_of(estimates_found_));
  }

  void estimate_own() {
    SearchedLayout& own = search_.own;
    if (own.verdict == LayoutVerdict::not_searched)
      set(own, [this](const TrainingLayout& layout) { return estimates_.with_contention(layout); });
    const auto same = std::ranges::find(layouts_, true, &SearchedLayout::is_own);
    if (same == layouts_.end()) return;
    if (own.verdict == LayoutVerdict::not_searched) own.verdict = LayoutVerdict::estimated;
    *same = own;
    std::erase(bounded_, static_cast<std::size_t>(same - layouts_.begin()));
  }

  void estimate_below(double to_beat) {
    const auto may_be_below = [&](double bound) { return bound < to_beat; };
    bound_while(may_be_below);
    estimate_while(may_be_below);
  }

 private:
  double value(const SearchedLayout& layout) const {
    return value_of(options_.objective, layout.layout.plan, layout.estimate);
  }
  double value(std::size_t layout) const { return value(layouts_[layout]); }

  template <class Task>
  void for_all(std::size_t count, std::size_t at_a_time, const char* what, const Task& task) const {
    std::atomic<std::size_t> done = 0;
    run_in_order((count + at_a_time - 1) / at_a_time, options_.threads,
                 [&](std::size_t part) {
                   const std::size_t end = std::min(count, (part + 1) * at_a_time);
                   for (std::size_t i = part * at_a_time; i < end; ++i) task(i);
                   const std::size_t so_far = done += end - part * at_a_time;
                   if (progress_) progress_(so_far, count, what);
                 },
                 [](std::size_t) {});
  }

  void assess() {
    const double usable = usable_memory(base_);
    for_all(layouts_.size(), assessed_together, "layouts looked at", [&](std::size_t i) {
      SearchedLayout& one = layouts_[i];
      one.memory = estimates_.memory(one.layout);
      if (one.memory > usable) return;
      one.verdict = LayoutVerdict::beaten;
      one.estimate = estimates_.lower_bound(one.layout);
    });
    for (std::size_t i = 0; i < layouts_.size(); ++i)
      if (layouts_[i].verdict == LayoutVerdict::beaten) order_.push_back(i);
    std::ranges::stable_sort(order_, {}, [this](std::size_t i) { return value(i); });
  }

  // Returns the value that a layout has to beat to be among the best of a list, whose order changes.
  double limit_of(std::vector<double>& values) const {
    if (options_.exhaustive || values.size() < options_.top) return std::numeric_limits<double>::infinity();
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(options_.top - 1));
    return values[options_.top - 1];
  }
  // Sets an estimate; the layout fails where the network cannot carry its exchanges.
  template <class Estimate>
  void set(SearchedLayout& layout, const Estimate& estimate) const {
    try {
      layout.estimate = std::max(layout.estimate, estimate(layout.layout));
    } catch (const InputError& error) {
      layout.verdict = LayoutVerdict::failed;
      layout.failure = error.message();
    }
  }

  double least_bound() const {
    return value(*std::ranges::min_element(bounded_, {}, [this](std::size_t i) { return value(i); }));
  }

  // Bounds layouts by closed forms, in the order of their lower bounds, while `goes_on` is true for
  // these.
  template <class GoesOn>
  void bound_while(const GoesOn& goes_on) {
    while (next_ < order_.size() && goes_on(value(order_[next_]))) {
      const std::size_t first = next_;
      next_ = std::min(order_.size(), next_ + bounded_at_once);
      for_all(next_ - first, 1, "layouts bounded by closed forms", [&](std::size_t i) {
        set(layouts_[order_[first + i]],
            [this](const TrainingLayout& layout) { return estimates_.by_closed_forms(layout); });
      });
      for (std::size_t i = first; i < next_; ++i)
        if (layouts_[order_[i]].verdict == LayoutVerdict::beaten) {
          bounded_.push_back(order_[i]);
          bounds_found_.push_back(value(order_[i]));
        }
    }
  }

  // Estimates layouts in the order of their bounds, while `goes_on` is true for these.
  template <class GoesOn>
  void estimate_while(const GoesOn& goes_on) {
    for (;;) {
      const std::vector<std::size_t> next = next_to_estimate(goes_on);
      if (next.empty()) return;
      for_all(next.size(), 1, "layouts estimated", [&](std::size_t i) {
        SearchedLayout& one = layouts_[next[i]];
        one.verdict = LayoutVerdict::estimated;
        set(one, [this](const TrainingLayout& layout) { return estimates_.with_contention(layout); });
      });
      for (const std::size_t i : next)
        if (layouts_[i].verdict == LayoutVerdict::estimated) estimates_found_.push_back(value(i));
    }
  }

  // Returns those with the least bounds. A bound may have risen since it was found, by what estimates of
  // others have shown about the network.
  template <class GoesOn>
  std::vector<std::size_t> next_to_estimate(const GoesOn& goes_on) {
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
      if (looked_at.insert(first).second)
        set(layouts_[first],
            [this](const TrainingLayout& layout) { return estimates_.by_what_is_known(layout); });
      if (value(first) > before) {
        std::ranges::push_heap(bounded_, is_later);
        continue;
      }
      bounded_.pop_back();
      next.push_back(first);
    }
    return next;
  }

  // The experiment's own layout is what the best one is compared with.
  void assess_own() {
    SearchedLayout& own = search_.own;
    own = {{base_.plan, base_.schedule}, LayoutVerdict::not_searched};
    own.is_own = true;
    own.memory = estimates_.memory(own.layout);
    if (own.memory > usable_memory(base_)) own.verdict = LayoutVerdict::out_of_memory;
    const auto same = std::ranges::find(layouts_, own.layout, &SearchedLayout::layout);
    if (same != layouts_.end()) same->is_own = true;
  }

  const TrainingSetup& base_;
  const StepEstimates& estimates_;
  const SearchOptions options_;
  const StepListener progress_;
  LayoutSearch search_;
  std::vector<SearchedLayout>& layouts_ = search_.layouts;
  std::vector<std::size_t> order_;    // of those that fit, by their lower bounds
  std::size_t next_ = 0;              // in that order, the first that closed forms have not bounded
  std::vector<std::size_t> bounded_;  // by closed forms, and not estimated
  std::vector<double> bounds_found_, estimates_found_;  // values, in any order
};

EstimatedLayouts::EstimatedLayouts(const TrainingSetup& base, const StepEstimates& estimates,
                                   const SearchOptions& options, StepListener progress)
    : order_(std::make_unique<Order>(base, estimates, options, std::move(progress))) {}
EstimatedLayouts::~EstimatedLayouts() = default;

void EstimatedLayouts::estimate_best() {
  order_->estimate_best();
}

void EstimatedLayouts::estimate_own() {
  order_->estimate_own();
}

void EstimatedLayouts::estimate_below(double value) {
  order_->estimate_below(value);
}

LayoutSearch& EstimatedLayouts::search() {
  return order_->search();
}

SearchOptions on_network_of(const RunSpec& run, const TrainingSetup& base, SearchOptions options) {
  if (!base.library)
    options.space.in_node = static_cast<std::uint64_t>(run.topology->dimensions.front().size);
  return options;
}

}  // namespace orrery::core
