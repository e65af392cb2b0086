#include "study/results/experiment_folder.hpp"

#include "base/files/file.hpp"
#include "report/compare/run_comparisons.hpp"
#include "report/stored/result_files.hpp"
#include "report/summary/run_tables.hpp"
#include "study/run/foreign_exporters.hpp"

namespace orrery::core {

namespace fs = std::filesystem;

ExperimentFolder::ExperimentFolder(const std::string& output, const Experiment& experiment)
    : experiment_(experiment),
      path_(fs::path(output) / experiment.name),
      lock_(path_, FolderLock::WhenTaken::refuse),
      varied_(experiment.varied.keys, experiment.varied.values) {
  std::error_code none;
  for (const ResultFile& file : experiment_files)
    if (file.is_of_runs) fs::remove(path_ / file.name, none);
}

void ExperimentFolder::write_reports(const RunOutput& run) const {
  if (!experiment_.reports.wants(run.spec.name, experiment_.runs.size()))
    return remove_reports(run.spec.name);
  const fs::path folder = path_ / run.spec.name;
  std::error_code failure;
  fs::create_directory(folder, failure);
  if (failure) throw InputError({folder.string()}, failure.message() + ", choose another --output");
  const RunOutput output{run.spec, run.result, run.summary, folder.string() + "/", run.warnings};
  core::write_reports(output);
  write_foreign_reports(output, experiment_.extensions ? *experiment_.extensions : no_extensions);
}

void ExperimentFolder::remove_reports(const std::string& run) const {
  remove_foreign_reports(path_ / run);
  core::remove_reports(path_ / run, run);
}

void ExperimentFolder::open_files() {
  const auto open = [&](const ResultFile& of, const std::string& title) {
    auto file = std::make_unique<FileWriter>((path_ / of.name).string());
    file->append(title);
    return file;
  };
  summary_ = open(summary_file, experiment_json_head(experiment_.name, experiment_.origin));
  runs_csv_ = open(runs_file, runs_csv_title(varied_.titles()));
  layers_csv_ = open(layers_file, csv_title(layer_table) + '\n');
}

void ExperimentFolder::take(const EndedRun& run) {
  any_success_ |= run.failure.kind == FailureKind::none;
  if (!summary_) open_files();
  summary_->append(experiment_json_run(run.json, report_.rows().empty()));
  runs_csv_->append(runs_csv_line(report_.add(run.summary), varied_));
  layers_csv_->append(csv_lines_of(layer_table, layer_rows(run.summary)));
}

void ExperimentFolder::finish() {
  if (!any_success_) return;
  summary_->append(experiment_json_end());
  for (const auto& file : {&summary_, &runs_csv_, &layers_csv_}) (*file)->finish();
  if (!experiment_.comparisons.empty())
    write_file_atomically((path_ / comparisons_file.name).string(),
                          csv_text(comparisons_rows(experiment_.comparisons, report_.rows())));
}

}  // namespace orrery::core
