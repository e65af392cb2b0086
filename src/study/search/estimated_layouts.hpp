// Finds the layouts whose steps on a network have the shortest estimates.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/progress.hpp"
#include "study/search/layout_search.hpp"
#include "study/search/step_estimates.hpp"

namespace orrery::core {

// Returns the options with what the network says about nodes, where the platform says nothing: its innermost
// dimension is one.
SearchOptions on_network_of(const RunSpec& run, const TrainingSetup& base, SearchOptions options);

// All legal layouts, which are looked at in the order of what their steps take at least, ever more closely,
// as far as that may matter. Those that were looked at most closely are `estimated`; of `beaten` ones, the
// estimate is a lower bound.
class EstimatedLayouts {
 public:
  // Keeps references to `base` and `estimates`.
  EstimatedLayouts(const TrainingSetup& base, const StepEstimates& estimates, const SearchOptions& options,
                   StepListener progress = {});

  // Estimates the layouts with the shortest estimates, so many as `top` says; all, where the search is
  // exhaustive.
  void estimate_best();
  // Estimates the experiment's own layout.
  void estimate_own();
  // Estimates all layouts that may have a smaller value.
  void estimate_below(double value);

  // The layouts keep their places; no layout is simulated, and there are no results of the best.
  LayoutSearch& search() { return search_; }

 private:
  // Says of a lower bound whether layouts that have it are still looked at.
  using GoesOn = std::function<bool(double bound)>;

  double value(const SearchedLayout& layout) const {
    return value_of(options_.objective, layout.layout.plan, layout.estimate);
  }
  double value(std::size_t layout) const { return value(search_.layouts[layout]); }
  void for_all(std::size_t count, std::size_t at_a_time, const char* what,
               const std::function<void(std::size_t)>& task) const;
  void assess();
  void assess_own();
  // Returns the value that a layout has to beat to be among the best of a list, whose order changes.
  double limit_of(std::vector<double>& values) const;
  // Sets an estimate; the layout fails where the network cannot carry its exchanges.
  void set(SearchedLayout& layout, Seconds (StepEstimates::*estimate)(const TrainingLayout&) const) const;
  double least_bound() const;
  // Bounds layouts by closed forms, in the order of their lower bounds.
  void bound_while(const GoesOn& goes_on);
  // Estimates layouts in the order of their bounds.
  void estimate_while(const GoesOn& goes_on);
  std::vector<std::size_t> next_to_estimate(const GoesOn& goes_on);

  const TrainingSetup& base_;
  const StepEstimates& estimates_;
  const SearchOptions options_;
  const StepListener progress_;
  LayoutSearch search_;
  std::vector<std::size_t> order_;    // of those that fit, by their lower bounds
  std::size_t next_ = 0;              // in that order, the first that closed forms have not bounded
  std::vector<std::size_t> bounded_;  // by closed forms, and not estimated
  std::vector<double> bounds_found_, estimates_found_;  // values, in any order
};

}  // namespace orrery::core
