// Reads folders of results, as runs and other commands leave them.
#pragma once

#include <string>

#include "base/files/file_loader.hpp"
#include "base/progress.hpp"
#include "report/stored/result_page.hpp"

namespace orrery {

// Reads the tables of a folder and those of the runs that its summary.json names. Throws InputError when
// there is no such folder, when no results are in it, when another process is writing them, or when one of
// its files is not complete. `told` is called for each run that has been read.
ResultSet read_results(const std::string& folder, const FileLoader& load, const StepListener& told = {});

}  // namespace orrery
