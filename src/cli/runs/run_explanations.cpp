#include "cli/runs/run_explanations.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "base/files/file_writer.hpp"
#include "base/files/folder_lock.hpp"
#include "cli/console.hpp"
#include "cli/progress_line.hpp"
#include "cli/runs/chosen_runs.hpp"
#include "report/stored/result_files.hpp"
#include "study/explain/run_explanation.hpp"

namespace orrery::core {

namespace {

// Writes and shows the paths of runs, one after the other.
class PathFiles {
 public:
  // `prefix` stands in front of every file's name.
  explicit PathFiles(const std::string& prefix)
      : names_(files_of_paths(prefix)),
        path_file_(names_[0]),
        share_file_(names_[1]),
        operator_file_(names_[2]),
        exchange_file_(names_[3]) {
    path_file_.append(csv_title(critical_path_table) + '\n');
    share_file_.append(csv_title(path_share_table) + '\n');
    operator_file_.append(csv_title(path_operator_table) + '\n');
    exchange_file_.append(csv_title(path_exchange_table) + '\n');
  }

  void add(const RunSpec& spec, const RunResult& result) {
    const RunExplanation explained(spec, result);
    for (const PathStep& step : explained.path()) {
      line_.clear();
      append_csv_row(line_, critical_path_table, explained.row(step));
      path_file_.append(line_ += '\n');
    }
    share_file_.append(csv_lines_of(path_share_table, explained.shares()));
    operator_file_.append(csv_lines_of(path_operator_table, explained.operators()));
    exchange_file_.append(csv_lines_of(path_exchange_table, explained.exchanges()));
    text_ += (text_.empty() ? "" : "\n") + explained.text(unicode_);
    runs_.push_back(explained.json());
  }

  void finish() {
    path_file_.finish();
    share_file_.finish();
    operator_file_.finish();
    exchange_file_.finish();
  }
  const std::string& text() const { return text_; }
  const nlohmann::ordered_json& runs() const { return runs_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  FileWriter path_file_, share_file_, operator_file_, exchange_file_;
  const bool unicode_ = terminal_draws_unicode();
  std::string line_, text_;
  nlohmann::ordered_json runs_ = nlohmann::ordered_json::array();
};

// Throws what is wrong with a run before anything is written.
void prepare(std::vector<RunSpec>& runs, const std::string& title, Warnings& warnings) {
  ProgressLine progress(title);
  progress.begin("preparing runs");
  for (RunSpec& run : runs) {
    run.every_class = true;
    prepare_run(run, warnings);
  }
}

RunExplanations explain(const std::vector<RunSpec>& runs, const std::string& title,
                        const std::string& prefix) {
  PathFiles paths(prefix);
  {
    ProgressLine progress(title, runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      Warnings known;  // from its preparation
      paths.add(runs[i], carry_out(runs[i], known, true, progress.listener(i)));
      progress.end(i, false);
    }
  }
  paths.finish();
  return {paths.text(), paths.runs(), paths.names()};
}

}  // namespace

std::vector<std::string> files_of_paths(const std::string& prefix) {
  std::vector<std::string> files;
  for (const ResultFile& file : path_files) files.push_back(prefix + file.name);
  return files;
}

RunExplanations explain_experiment(const Experiment& experiment, const std::vector<std::string>& names,
                                   const std::string& output, Warnings& warnings) {
  std::vector<RunSpec> runs = chosen_runs(experiment, names);
  prepare(runs, experiment.name, warnings);
  const std::filesystem::path folder = std::filesystem::path(output) / experiment.name;
  const FolderLock lock(folder, FolderLock::WhenTaken::refuse);
  return explain(runs, experiment.name, folder.string() + "/");
}

RunExplanations explain_run(const RunSpec& spec, const std::string& path, Warnings& warnings) {
  std::vector<RunSpec> runs{spec};
  prepare(runs, spec.name, warnings);
  const FolderLock lock(folder_of(path), FolderLock::WhenTaken::wait);
  return explain(runs, spec.name, path + spec.name + "_");
}

}  // namespace orrery::core
