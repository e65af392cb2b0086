// Searches for the best layouts of an experiment, whose run may have a network.
//
// Thousands of layouts can be simulated by closed forms, but not on a network. So estimates
// (step_estimates.hpp) say which layouts may be the best, and these are run on the network, whose times
// decide among them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "study/search/layout_run.hpp"
#include "study/search/layout_search.hpp"

namespace orrery::core {

// Searches among the layouts of `base`, the training of an experiment that searched_training() accepts. The
// result is that of search_layouts(), or if the run has a network that of rank_on_network(). Throws
// InputError, also where no layout fits.
LayoutSearch search_experiment(const SearchedExperiment& searched, const TrainingSetup& base,
                               const SearchOptions& options, const StepListener& progress = {});

// Runs one layout on the network; throws InputError and StallError where that fails.
using LayoutRunner =
    std::function<TrainingResult(const TrainingLayout& layout, const ProgressListener& progress)>;

// Estimates further layouts of a search: all that may have a smaller value.
using MoreEstimates = std::function<void(double value)>;

// Runs estimated layouts, and the experiment's own if it fits the memory, and ranks them by their times on
// the network. If some fail, they do not keep the others from being ranked. Where all of them fail alike,
// throws what the run of the first one threw, and where they fail in several ways InputError.
void rank_on_network(const TrainingSetup& base, const SearchOptions& options, const LayoutRunner& run,
                     const MoreEstimates& estimate, const StepListener& progress, LayoutSearch& search);

// A contender is a layout that may be among the best, with what is known of it.
struct Contender {
  double value = 0;  // simulated, or estimated
  bool is_simulated = false;
  bool has_failed = false;
};

// Returns the value that a contender has to beat to be among the best; none while fewer are simulated.
std::optional<double> value_to_beat(std::span<const Contender> contenders, std::size_t top);

// Returns which contenders are simulated next, by their places: first those with the best estimates, then
// those whose estimates are better than what the `top` best have come to. Returns nothing when there are
// none, or when `most` were simulated.
std::vector<std::size_t> next_contenders(std::span<const Contender> contenders, std::size_t top,
                                         std::size_t most);

}  // namespace orrery::core
