// A run as a line of a table.
#pragma once

#include <memory>
#include <string>

#include "report/summary.hpp"

namespace orrery {

// The small part of a run's summary that tables of many runs keep, so that there may be a hundred thousand
// runs. The members mean the same as those of Summary.
struct RunRow {
  std::string name;
  std::string error;
  int npus = 0;
  Time total, rank_0_total, compute, bubble, exposed;
  std::shared_ptr<const TrainingSummary> training;  // null unless a transformer is trained on a platform

  explicit RunRow(const Summary& run)
      : name(run.name),
        error(run.error),
        npus(run.npus),
        total(run.total),
        rank_0_total(run.rank_0_total),
        compute(run.compute),
        bubble(run.bubble),
        exposed(run.exposed) {
    if (run.training) training = std::make_shared<const TrainingSummary>(*run.training);
  }
};

}  // namespace orrery
