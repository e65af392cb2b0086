// Finds and reads files with measured ranks: files of the PyTorch profiler, or execution traces with
// durations.
#pragma once

#include <string>
#include <vector>

#include "report/profile/activity.hpp"
#include "report/profile/files/kineto_file.hpp"

namespace orrery::core {

// Returns the file, or the files of the folder that may hold a rank. They are in the order of their names,
// where numbers in names count as numbers. Throws InputError where there is none.
std::vector<std::string> measured_files(const std::string& file_or_folder);

// Returns the ranks in a file of either kind, plain or compressed with gzip. Throws InputError.
std::vector<RankActivities> read_measured_file(const std::string& file, Warnings& warnings,
                                               const BytesListener& listener = {});

}  // namespace orrery::core
