// Folders of results, as runs and other commands leave them.
#pragma once

#include <string>

#include "base/progress.hpp"
#include "report/result_page.hpp"

namespace orrery {

// Reads the tables of a folder and those of the runs that its summary.json names. Throws InputError when
// there is no such folder, no results are in it, another process is writing them, or one of its files is not
// complete. `told` hears of each run that has been read.
ResultSet read_results(const std::string& folder, const StepListener& told = {});

}  // namespace orrery
