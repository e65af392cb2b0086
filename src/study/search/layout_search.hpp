// Searches for the best layouts of a transformer's training on a platform.
//
// Layouts that do not fit the memory are left out. The others are simulated in the order of their least times
// (step_bound.hpp), until no further one can be among the best. So the search finds what simulating all
// layouts would find.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "base/progress.hpp"
#include "report/training/training_result.hpp"
#include "workload/training/layout_space.hpp"

namespace orrery::core {

enum class SearchObjective : std::uint8_t {
  time,  // of a step
  cost,  // GPUs times time
};
inline constexpr std::array<EnumName<SearchObjective>, 2> search_objective_words{{
    {"time", SearchObjective::time},
    {"cost", SearchObjective::cost},
}};

struct SearchOptions {
  LayoutSpace space;
  SearchObjective objective = SearchObjective::time;
  std::size_t top = 10;     // number of the best layouts that are wanted
  bool exhaustive = false;  // simulate all layouts that fit
  // Layouts that are run on a network at most, beside the experiment's own; 0: twice `top`.
  std::size_t network_runs = 0;
  int threads = 1;

  std::size_t most_network_runs() const { return network_runs > 0 ? network_runs : 2 * top; }
};

enum class LayoutVerdict : std::uint8_t {
  simulated,  // on the experiment's network, if it has one
  failed,     // its run on the network ended with an error, or the network cannot carry its exchanges
  estimated,  // not run on the network; an estimate says how long its step is there
  beaten,     // not simulated, because even its least time is longer than those of the best
  out_of_memory,
  not_searched,  // simulated, although it is none of the layouts that the search chose from
};
inline constexpr std::array<EnumName<LayoutVerdict>, 6> layout_verdict_words{{
    {"simulated", LayoutVerdict::simulated},
    {"failed", LayoutVerdict::failed},
    {"estimated", LayoutVerdict::estimated},
    {"beaten", LayoutVerdict::beaten},
    {"out-of-memory", LayoutVerdict::out_of_memory},
    {"not-searched", LayoutVerdict::not_searched},
}};

struct SearchedLayout {
  TrainingLayout layout;
  LayoutVerdict verdict = LayoutVerdict::out_of_memory;
  double memory = 0;  // bytes, on the fullest device
  // Simulated time; on a platform, of beaten ones a lower bound; otherwise 0.
  Seconds step = {};
  // If the experiment has a network, what a step is estimated to take there, of beaten ones a lower bound.
  Seconds estimate = {};
  bool is_own = false;       // whether it is the experiment's own layout
  std::string failure = {};  // why its run on the network failed; empty: it did not
};

struct LayoutSearch {
  std::vector<SearchedLayout> layouts;  // simulated ones come first, the best first; then by verdict
  std::vector<RefusedShapes> refused;
  std::vector<TrainingResult> best;  // results of the first layouts
  // The experiment's own layout, which is simulated if it fits the memory. If it is among those that the
  // search chose from, it is in `layouts`, too.
  SearchedLayout own;
  bool on_network = false;  // whether the best were run on the experiment's network

  std::size_t count(LayoutVerdict verdict) const;
};

// Simulates steps on the platform itself. `base` holds everything except the layout, and the choices of the
// layout that are kept. Throws InputError.
LayoutSearch search_layouts(const TrainingSetup& base, const SearchOptions& options,
                            const StepListener& progress = {});

// Returns the value that the objective makes as small as possible.
double value_of(SearchObjective objective, const TransformerPlan& plan, Seconds step);

}  // namespace orrery::core
