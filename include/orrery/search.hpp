// Searches for the best layouts of a transformer's training.
//
//   const orrery::Findings found = orrery::search_layouts(experiment, {.top = 3}).value();
//   const orrery::Table layouts = found.table("layouts").value();
//   std::cout << layouts.rows() << " layouts\n" << found.text();
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/diagnostics.hpp"
#include "orrery/experiment.hpp"
#include "orrery/export.hpp"
#include "orrery/findings.hpp"

namespace orrery {

// Says among which layouts is searched, and what is best.
struct SearchOptions {
  std::optional<std::int64_t> gpus = {};  // number of GPUs; none: as many as the experiment's own layout has
  bool fewer_gpus = false;                // also a half of them, a quarter and so on
  std::vector<std::string> keep = {};     // choices that stay as they are, such as "tensor" and "micro"
  std::string objective = "time";         // "time" of a step, or "cost", which is GPUs times time
  std::int64_t top = 10;    // number of the best layouts that are explained, and run on a network
  bool exhaustive = false;  // simulate every layout that fits the memory
  StudyOptions how = {};    // threads, stop and progress
};

// Searches as `orrery search` does. The experiment has one run, of a transformer on a platform, whose layout
// is where the search starts. If the run has a network, the platform's closed forms choose the layouts, and
// the `top` best and the experiment's own are then run on the network, whose times rank them; each layout
// uses all of the network's NPUs. The table is "layouts", the best first. The problem says what is wrong with
// the experiment or the options, why no layout fits, or why none of these can be run on the network.
ORRERY_API Result<Findings> search_layouts(const Experiment& experiment, const SearchOptions& options = {});

}  // namespace orrery
