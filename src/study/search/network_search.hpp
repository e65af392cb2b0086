// Searches for the best layouts of an experiment, whose run may have a network.
//
// Thousands of layouts can be simulated on the platform itself, by the closed forms of its library, but not
// on a network. So the platform says which layouts are the best, and these are run on the network, whose
// times decide among them.
#pragma once

#include <functional>

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

// Runs the best layouts that were found on the platform itself, and the experiment's own if it fits the
// memory, and ranks them by their times on the network. If some fail, they do not keep the others from being
// ranked. Where all of them fail alike, throws what the run of the first one threw, and where they fail in
// several ways InputError.
void rank_on_network(const TrainingSetup& base, const SearchOptions& options, const LayoutRunner& run,
                     const StepListener& progress, LayoutSearch& search);

}  // namespace orrery::core
