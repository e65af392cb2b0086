// Runs a training of an experiment with another layout.
#pragma once

#include <string>

#include "base/files/file_loader.hpp"
#include "base/progress.hpp"
#include "report/training/training_result.hpp"
#include "study/experiment/experiment.hpp"
#include "workload/training/layout_space.hpp"

namespace orrery::core {

// An experiment whose training is searched, and what it was read from. It keeps references.
struct SearchedExperiment {
  const Experiment& experiment;
  const InputNode& document;  // what read_experiment() interpreted
  const std::string& file;    // its place
  const FileLoader& load;
};

// Carries out the experiment's only run with the keys of this layout (layout_keys()) in the place of those
// that its workload has, so that `orrery run` gives the same for these keys. Throws InputError and
// StallError.
TrainingResult run_layout(const SearchedExperiment& searched, const TrainingSetup& base,
                          const TrainingLayout& layout, const ProgressListener& progress = {});

}  // namespace orrery::core
