// orrery explain: the critical path of an experiment's runs.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "base/file_writer.hpp"
#include "base/folder_lock.hpp"
#include "base/nearest_names.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flag_values.hpp"
#include "cli/input_kind.hpp"
#include "report/path_report.hpp"
#include "study/run.hpp"

namespace orrery {

namespace {

struct ExplainFlags {
  std::vector<std::string> files, overrides, runs;
  std::string output = "results";
  bool json = false;
};

// Returns the runs that were asked for, or all.
std::vector<RunSpec> chosen_runs(const Experiment& experiment, const std::vector<std::string>& names) {
  if (names.empty()) return experiment.runs;
  std::vector<RunSpec> chosen;
  for (const std::string& name : names) {
    const auto run = std::ranges::find(experiment.runs, name, &RunSpec::name);
    if (run == experiment.runs.end()) {
      std::vector<std::string_view> known;
      for (const RunSpec& one : experiment.runs) known.push_back(one.name);
      throw InputError({"--run"}, none_of_name("run", name, known));
    }
    chosen.push_back(*run);
  }
  return chosen;
}

// Writes and shows the paths of runs, one after the other.
class Explanation {
 public:
  explicit Explanation(const std::filesystem::path& folder)
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
    text_ += (text_.empty() ? "" : "\n") + path_text(context, path);
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

void explain_file(const std::string& file, const ExplainFlags& flags) {
  Warnings warnings;
  const Experiment experiment = read_experiment_file(file, flags.overrides, warnings);
  std::vector<RunSpec> runs = chosen_runs(experiment, flags.runs);
  for (RunSpec& run : runs) {
    run.every_class = true;
    prepare_run(run, warnings);  // throws what is wrong with it before anything is written
  }
  print_warnings(warnings);
  const std::filesystem::path folder = std::filesystem::path(flags.output) / experiment.name;
  const FolderLock lock(folder, FolderLock::WhenTaken::refuse);
  Explanation explanation(folder);
  {
    ProgressLine progress(experiment.name, runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      Warnings known;  // from its preparation
      explanation.add(runs[i], carry_out(runs[i], known, true, progress.listener(i)));
      progress.end(i, false);
    }
  }
  explanation.finish();
  const std::vector<std::string> files{(folder / "critical-path.csv").string(),
                                       (folder / "blame.csv").string()};
  if (flags.json) {
    nlohmann::ordered_json json{{"experiment", experiment.name}};
    json["runs"] = explanation.runs();
    json["files"] = files;
    print_json(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else {
    print(explanation.text() + fmt::format("files: {}, {}\n", files[0], files[1]));
  }
}

}  // namespace

Command add_explain_command(CLI::App& command) {
  auto flags = std::make_shared<ExplainFlags>();
  add_experiments(command, flags->files, flags->overrides);
  command.add_option("--run", flags->runs,
                     "Name of a run to explain; may be given several times (default: all)");
  command.add_flag("--json", flags->json, "Print the shares as JSON");
  command.add_option("--output", flags->output, "Folder for the experiment's results (default: results)");
  return [flags]() -> int {
    if (flags->files.empty()) throw InputError({}, "name an experiment file");
    for (const std::string& file : flags->files) explain_file(file, *flags);
    return success;
  };
}

}  // namespace orrery
