// Says what a search for layouts found.
#pragma once

#include <string>

#include "study/search/layout_search.hpp"

namespace orrery::core {

// Names the largest loss of a step among bubble, idle time and communication along each axis.
struct StepLoss {
  std::string what;  // such as "bubble" or "waiting for data-parallel all-reduces"; empty: it loses none
  double share = 0;  // of the step
};
StepLoss largest_loss(const TrainingResult& result);

// Returns which layout is the best, how long its step takes, how much faster that is than with the
// experiment's own layout, or with the next best one if that is the experiment's, what it loses most time
// to, and what memory it takes of that which can be used. If layouts were run on a network, it says that, and
// among which ones the best was found. There has to be a best layout.
std::string best_layout_sentence(const TrainingSetup& base, const LayoutSearch& search);

}  // namespace orrery::core
