// Fits constants to files of measurements, and makes the file that has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"
#include "base/progress.hpp"
#include "study/calibration/fitted_constants.hpp"

namespace orrery::core {

struct CalibrationOptions {
  std::vector<std::string> from;       // files with measurements
  std::vector<std::string> overrides;  // of the experiments that were measured, as --set takes them
  // Which of these are needed depends on what was measured; others have to be empty.
  std::string platform, experiment, run, kind;
  std::string folder;  // of the file that is made; paths in it are relative to it
  int threads = 1;
  // How messages name the options: as flags of the command, or as members of this.
  bool are_flags = false;
};

struct FileCalibration {
  std::vector<Calibration> calibrations;  // one for each kind of measurements
  std::string file;                       // a software stack or a platform, as YAML
};

// Throws InputError where a file or an option is wrong, also where one is given that says nothing about what
// was measured. `tell`, which may be empty, is that of calibrate().
FileCalibration calibrate_from_files(const CalibrationOptions& options, const FileLoader& load,
                                     const StepListener& tell, Warnings& warnings);

}  // namespace orrery::core
