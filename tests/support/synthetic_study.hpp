// A study of any number of runs whose results follow from formulas, for tests of the page about studies.
#pragma once

#include <cstddef>

#include "report/study/study_page.hpp"

namespace orrery::core {

// Returns the study. Equal numbers of runs make equal studies. It has what a page must cope with: runs that
// failed for reasons that differ in their numbers only, equal results, missing cells, keys of texts with
// units, a key of one value, a key of very many values, and the name of a run that is markup.
StudyPage synthetic_study(std::size_t runs);

}  // namespace orrery::core
