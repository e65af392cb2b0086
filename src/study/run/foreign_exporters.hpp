// Exporters of plug-ins, which are found among the extensions of an experiment.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/files/extensions.hpp"
#include "study/run/exporters.hpp"

namespace orrery::core {

// What a registry holds under the exporter's name. Returns the names and contents of files.
struct ForeignExporter {
  std::function<std::vector<std::pair<std::string, std::string>>(const RunOutput& run)> files;
};

// Writes the files of all exporters of plug-ins into a folder `exports` in the folder of the run, from which
// it removes what an earlier run has left. Throws InputError where a file cannot be written, where its name
// is no plain one, and where two exporters write the same file.
void write_foreign_reports(const RunOutput& run, const Extensions& extensions);
// Removes that folder.
void remove_foreign_reports(const std::filesystem::path& folder);

}  // namespace orrery::core
