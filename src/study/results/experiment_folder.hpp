// The folder with an experiment's results, which is the same whoever simulates the experiment: tables and a
// summary of all runs, and a folder for each run with reports of its own.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/files/file_writer.hpp"
#include "base/files/folder_lock.hpp"
#include "report/compare/comparison.hpp"
#include "study/results/ended_run.hpp"
#include "study/run/exporters.hpp"

namespace orrery::core {

class ExperimentFolder {
 public:
  // Locks the folder of this name in `output`, and removes what earlier runs have left: if it stayed and
  // these runs failed, it would be taken for theirs. The experiment must outlive the folder. Throws
  // InputError, also when another process is writing results there.
  ExperimentFolder(const std::string& output, const Experiment& experiment);

  const std::filesystem::path& path() const { return path_; }

  // Writes the reports of a run if the experiment wants them, and otherwise removes those of an earlier run.
  // `run.folder` says nothing here. Several threads may write reports of different runs.
  void write_reports(const RunOutput& run) const;
  void remove_reports(const std::string& run) const;

  // Adds the next run, in the order of the experiment. The files appear with finish().
  void take(const EndedRun& run);
  // Completes the tables of all runs. Without a run that succeeded there are none.
  void finish();

  // Returns what was taken so far.
  const ComparisonReport& report() const { return report_; }

 private:
  void open_files();

  const Experiment& experiment_;
  std::filesystem::path path_;
  FolderLock lock_;
  bool any_success_ = false;
  std::unique_ptr<FileWriter> summary_, runs_csv_, layers_csv_;
  VariedColumns varied_;
  ComparisonReport report_;
};

}  // namespace orrery::core
