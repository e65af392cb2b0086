// A row of the tables of layouts.
#pragma once

#include <cstddef>
#include <string>

#include "study/search/layout_search.hpp"

namespace orrery::core {

struct LayoutRow {
  const SearchedLayout& of;
  std::size_t rank = 0;  // 0: not simulated
  double tokens = 0;     // of a step
  double usable = 0;     // memory, in bytes
  const TrainingResult* best = nullptr;
  std::size_t point = 0;  // of a sweep, from 1; 0: there is none
  std::string name_of_point = {};
  bool is_tie = false;  // with the best one

  // Whether all is said of it: of other layouts, there may be very many.
  bool is_shown() const { return rank > 0 || of.is_own || of.verdict == LayoutVerdict::failed; }
  const TransformerPlan& plan() const { return of.layout.plan; }
};

}  // namespace orrery::core
