// Simulates the runs of a search over a sweep on this machine, and keeps them in a store.
#pragma once

#include <functional>
#include <string>

#include "study/search/swept_search.hpp"
#include "study/sweep/sweep.hpp"

namespace orrery::core {

struct StoredSearch {
  std::string store;   // path of the file
  std::string file;    // the place of the experiment
  std::string folder;  // in which the experiment lies
  Origin origin;
  const FileLoader& load;
  SweepWishes wishes;
  // Is called after each run, with the number of those that were asked for in this round.
  std::function<void(const SweepProgress& progress, std::size_t of)> told = {};
};

// Simulates runs until the search needs no more; those that are in the store are not simulated again. In the
// end the store has them in the order of their ranks. Returns whether it has got that far: otherwise it was
// to stop. Throws InputError where the store cannot be used.
bool simulate_search(SweptSearch& search, const StoredSearch& stored);

}  // namespace orrery::core
