// Makes what the page of a study shows of a store.
#pragma once

#include <string>

#include "report/study/study_page.hpp"

namespace orrery::core {

// The page has the keys, the objectives, and columns of results that hold a number in some run. Throws
// InputError.
StudyPage page_of_study(const std::string& store);

}  // namespace orrery::core
