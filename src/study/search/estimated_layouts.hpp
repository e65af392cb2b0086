// Finds the layouts whose steps on a network have the shortest estimates.
#pragma once

#include <memory>

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
  ~EstimatedLayouts();
  EstimatedLayouts(const EstimatedLayouts&) = delete;
  EstimatedLayouts& operator=(const EstimatedLayouts&) = delete;

  // Estimates the layouts with the shortest estimates, so many as `top` says; all, where the search is
  // exhaustive.
  void estimate_best();
  // Estimates the experiment's own layout.
  void estimate_own();
  // Estimates all layouts that may have a smaller value.
  void estimate_below(double value);

  // The layouts keep their places; no layout is simulated, and there are no results of the best.
  LayoutSearch& search();

 private:
  class Order;
  std::unique_ptr<Order> order_;
};

}  // namespace orrery::core
