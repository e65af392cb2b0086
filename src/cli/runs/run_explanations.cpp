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
#include "report/critical_path/path_exchanges.hpp"
#include "report/critical_path/path_operators.hpp"
#include "report/critical_path/path_report.hpp"
#include "report/stored/result_files.hpp"
#include "study/run/run.hpp"

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
    const std::unique_ptr<ComputedWork> work = spec.workload->computed_work(spec, result);
    std::vector<PathStep> path = critical_path(result.program, result.recording);
    if (work) path = divided_passes(path, *work);
    const Summary summary = spec.workload->summary(spec, result);
    const PathContext context{spec.name, result.program, result.machine.topology,
                              summary.training ? whole_passes : layer_passes, summary.total};
    for (const PathStep& step : path) {
      line_.clear();
      append_csv_row(line_, critical_path_table, PathRow{context, step});
      path_file_.append(line_ += '\n');
    }
    std::vector<PathShare> shares = path_shares(context, path);
    // The table of exchanges says more of communication.
    std::vector<PathShare> listed = shares;
    std::erase_if(listed, [](const PathShare& share) { return share.by == "communication"; });
    text_ += (text_.empty() ? "" : "\n") + path_text(context, path, listed, unicode_);
    nlohmann::ordered_json& run = runs_.emplace_back();
    run["run"] = spec.name;
    run["critical_path_us"] = result.recording.end().us();
    add_exchanges(result, context, path, shares);
    if (work) add_operators(*work, context, path, shares);
    share_file_.append(csv_lines_of(path_share_table, shares));
    run["shares"] = json_of<nlohmann::ordered_json>(path_share_table, shares);
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
  // The following functions add why computations and communication on the path take their time, to `shares`
  // and wherever else it is shown.
  void add_operators(const ComputedWork& work, const PathContext& context, const std::vector<PathStep>& path,
                     std::vector<PathShare>& shares) {
    const PathOperators operators = path_operators(context, path, work);
    const std::vector<PathShare> computing = computing_shares(context, path, operators);
    shares.insert(shares.end(), computing.begin(), computing.end());
    operator_file_.append(csv_lines_of(path_operator_table, operators.rows));
    text_ += shares_text(computing, unicode_) + path_operators_text(operators);
    runs_.back()["operators"] = json_of<nlohmann::ordered_json>(path_operator_table, operators.rows);
  }
  void add_exchanges(const RunResult& result, const PathContext& context, const std::vector<PathStep>& path,
                     std::vector<PathShare>& shares) {
    const std::vector<PathExchange> exchanges =
        path_exchanges(context, path, result.machine, result.recording);
    const std::vector<PathShare> links = link_shares(context, exchanges);
    shares.insert(shares.end(), links.begin(), links.end());
    exchange_file_.append(csv_lines_of(path_exchange_table, exchanges));
    text_ += path_exchanges_text(exchanges);
    runs_.back()["exchanges"] = json_of<nlohmann::ordered_json>(path_exchange_table, exchanges);
  }

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
