#include "cli/experiment_explanation.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file_writer.hpp"
#include "base/folder_lock.hpp"
#include "cli/chosen_runs.hpp"
#include "cli/console.hpp"
#include "report/path_report.hpp"
#include "study/run.hpp"

namespace orrery {

namespace {

// Writes and shows the paths of runs, one after the other.
class PathFiles {
 public:
  explicit PathFiles(const std::filesystem::path& folder)
      : path_file_((folder / "critical-path.csv").string()), share_file_((folder / "blame.csv").string()) {
    path_file_.append(csv_title(critical_path_table) + '\n');
    share_file_.append(csv_title(path_share_table) + '\n');
  }

  void add(const RunSpec& spec, const RunResult& result) {
    const std::vector<PathStep> path = critical_path(result.program, result.recording);
    const Summary summary = spec.workload->summary(spec, result);
    const PathContext context{spec.name, result.program, result.machine.topology,
                              summary.training ? whole_passes : layer_passes, summary.total};
    for (const PathStep& step : path) {
      line_.clear();
      append_csv_row(line_, critical_path_table, PathRow{context, step});
      path_file_.append(line_ += '\n');
    }
    const std::vector<PathShare> shares = path_shares(context, path);
    share_file_.append(csv_lines_of(path_share_table, shares));
    text_ += (text_.empty() ? "" : "\n") + path_text(context, path, shares);
    nlohmann::ordered_json& run = runs_.emplace_back();
    run["run"] = spec.name;
    run["critical_path_us"] = result.recording.end().us();
    run["shares"] = json_of<nlohmann::ordered_json>(path_share_table, shares);
  }

  void finish() {
    path_file_.finish();
    share_file_.finish();
  }
  const std::string& text() const { return text_; }
  const nlohmann::ordered_json& runs() const { return runs_; }

 private:
  FileWriter path_file_, share_file_;
  std::string line_, text_;
  nlohmann::ordered_json runs_ = nlohmann::ordered_json::array();
};

}  // namespace

ExperimentExplanation explain_experiment(const Experiment& experiment, const std::vector<std::string>& names,
                                         const std::string& output, Warnings& warnings) {
  std::vector<RunSpec> runs = chosen_runs(experiment, names);
  for (RunSpec& run : runs) {
    run.every_class = true;
    prepare_run(run, warnings);  // throws what is wrong with it before anything is written
  }
  const std::filesystem::path folder = std::filesystem::path(output) / experiment.name;
  const FolderLock lock(folder, FolderLock::WhenTaken::refuse);
  PathFiles paths(folder);
  {
    ProgressLine progress(experiment.name, runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      Warnings known;  // from its preparation
      paths.add(runs[i], carry_out(runs[i], known, true, progress.listener(i)));
      progress.end(i, false);
    }
  }
  paths.finish();
  return {
      paths.text(), paths.runs(), {(folder / "critical-path.csv").string(), (folder / "blame.csv").string()}};
}

}  // namespace orrery
