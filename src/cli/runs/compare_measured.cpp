#include "cli/runs/compare_measured.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/diagnostics/nearest_names.hpp"
#include "base/files/file.hpp"
#include "base/files/folder_lock.hpp"
#include "base/files/paths.hpp"
#include "base/text/readable.hpp"
#include "cli/console.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/inputs/input_kind.hpp"
#include "cli/progress_line.hpp"
#include "cli/runs/chosen_runs.hpp"
#include "report/profile/files/measured_files.hpp"
#include "report/profile/measured_comparison.hpp"
#include "report/stored/stored_results.hpp"
#include "study/compare/simulated_ranks.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

std::vector<RankActivities> read_files(const std::vector<std::string>& names, Warnings& warnings) {
  std::vector<RankActivities> ranks;
  for (const std::string& name : names)
    for (const std::string& file : measured_files(name)) {
      ProgressLine progress(file);
      for (RankActivities& rank : read_measured_file(file, warnings, [&](std::uint64_t bytes) {
             progress.begin(readable_bytes(static_cast<double>(bytes)) + " read");
           }))
        ranks.push_back(std::move(rank));
    }
  return ranks;
}

// Simulated runs, their comparisons with the measurements, and the folder for the tables.
class MeasuredComparisons {
 public:
  MeasuredComparisons(const MeasuredFlags& flags, bool json)
      : flags_(flags), json_(json), measured_(read_files(flags.measured, warnings_)) {
    for (const std::string& name : flags.measured)
      for (std::string& file : measured_files(name)) measured_paths_.push_back(std::move(file));
  }

  void add_experiment(const std::string& file) {
    const InputLog inputs(InputLog::Holds::paths);
    const Experiment experiment =
        read_experiment_file(file, flags_.overrides, warnings_, flags_.plugins.loader(inputs));
    const fs::path folder = fs::path(flags_.output) / experiment.name;
    keep_inputs(folder, std::span(&measured_file, 1), inputs.paths());
    std::vector<RunSpec> runs = chosen_runs(experiment, flags_.runs);
    for (RunSpec& run : runs) {
      run.every_operator = true;
      prepare_run(run, warnings_);  // throws what is wrong with it before anything is simulated
    }
    ProgressLine progress(experiment.name, runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      Warnings known;  // from its preparation
      const RunResult result = carry_out(runs[i], known, true, progress.listener(i));
      compare(runs[i].name, simulated_ranks(runs[i], result));
      progress.end(i, false);
    }
    write(folder);
  }

  // The folder of an experiment, of one of its runs or of a run of traces; or files of a profiler.
  void add_results(const std::string& name) {
    const fs::path path(name);
    if (is_file(name)) return compare(name, read_files({name}, warnings_));
    if (is_folder((path / kineto_folder).string())) {
      compare(name_of_folder(name), read_files({(path / kineto_folder).string()}, warnings_));
      return write(path);
    }
    const std::size_t before = rows_.size();
    const StoredResults stored(name, InputLog(InputLog::Holds::paths));
    if (stored.has_summary())
      for (const StoredRun& run : stored.runs()) {
        const bool chosen = flags_.runs.empty() || std::ranges::count(flags_.runs, run.run) > 0;
        const fs::path files = stored.folder_of(run.run) / kineto_folder;
        if (chosen && is_folder(files.string())) compare(run.run, read_files({files.string()}, warnings_));
      }
    if (rows_.size() > before) return write(path);
    if (path.filename() == kineto_folder) return compare(name, read_files({name}, warnings_));
    throw InputError({name},
                     "holds no timelines of the form `kineto`; name the experiment's file, or simulate it "
                     "with --timeline=kineto");
  }

  ExitCode show() {
    print_warnings(warnings_);
    if (json_) {
      print_json(nlohmann::ordered_json{{"comparisons", json_list_}, {"files", files_}}.dump(
                     2, ' ', false, nlohmann::json::error_handler_t::replace) +
                 "\n");
    } else {
      print(text_);
      if (!files_.empty()) print(fmt::format("files: {}\n", fmt::join(files_, ", ")));
    }
    return success;
  }

 private:
  void compare(const std::string& run, std::vector<RankActivities> ranks) {
    const MeasuredComparison comparison =
        compare_with_measured(run, std::move(ranks), measured_, flags_.step, warnings_);
    std::vector<ActivityRow> rows;
    for (const ActivityPair& pair : comparison.activities) rows.push_back({comparison.run, pair});
    rows_ += csv_lines_of(activity_table, rows);
    if (json_)
      json_list_.push_back(to_json(comparison));
    else
      text_ += (text_.empty() ? "" : "\n") + text_of(comparison, terminal_draws_unicode());
  }

  // Writes the rows that were added since the last call.
  void write(const fs::path& folder) {
    keep_inputs(folder, std::span(&measured_file, 1), measured_paths_);
    const FolderLock lock(folder, FolderLock::WhenTaken::refuse);
    const std::string file = (folder / measured_file.name).string();
    write_file_atomically(file, csv_title(activity_table) + '\n' + std::exchange(rows_, {}));
    files_.push_back(file);
  }

  const MeasuredFlags& flags_;
  bool json_;
  Warnings warnings_;
  std::vector<RankActivities> measured_;
  std::vector<std::string> measured_paths_;
  std::string rows_, text_;
  nlohmann::ordered_json json_list_ = nlohmann::ordered_json::array();
  std::vector<std::string> files_;
};

// Returns whether the file is one of the profiler's, and no experiment.
bool is_timeline(const std::string& name) {
  return name.ends_with(".json") || name.ends_with(".json.gz") || name.ends_with(".et");
}

}  // namespace

ExitCode compare_with_measured_files(const std::vector<std::string>& simulated, const MeasuredFlags& flags,
                                     bool json) {
  if (simulated.empty())
    throw InputError({}, "name what is simulated: an experiment file, or a folder of results");
  require_output_folder(flags.output);
  MeasuredComparisons comparisons(flags, json);
  for (const std::string& name : simulated)
    if (is_file(name) && !is_timeline(name))
      comparisons.add_experiment(name);
    else
      comparisons.add_results(name);
  return comparisons.show();
}

}  // namespace orrery::core
