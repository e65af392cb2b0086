#include "cli/runs/experiment_run.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostics/printable.hpp"
#include "base/files/file.hpp"
#include "base/files/file_writer.hpp"
#include "base/files/folder_lock.hpp"
#include "cli/console.hpp"
#include "cli/failure.hpp"
#include "cli/progress_line.hpp"
#include "report/compare/comparison.hpp"
#include "report/compare/run_comparisons.hpp"
#include "report/stored/result_files.hpp"
#include "report/summary/run_tables.hpp"
#include "report/summary/summary.hpp"
#include "study/run/exporters.hpp"
#include "study/run/run.hpp"
#include "study/run/run_pool.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

// A run that has ended.
struct Ended {
  Warnings warnings;
  Failure failure;
  Summary summary;
  std::string json;  // of the summary
  std::string explanation;
};

void make_run_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directory(folder, failure);
  if (failure) throw InputError({folder.string()}, failure.message() + ", choose another --output");
}

// `alone` says that the experiment has no other run.
Ended failed(const RunSpec& spec, bool alone, const std::exception_ptr& exception) {
  Ended ended;
  ended.failure = failure_of_run(exception, alone ? "" : spec.name, spec.where);
  ended.summary.name = spec.name;
  ended.summary.error = failure_of(exception).text;
  ended.json = json_text(ended.summary);
  return ended;
}

class ExperimentRun {
 public:
  ExperimentRun(const Experiment& experiment, const ExperimentOptions& options)
      : experiment_(experiment),
        options_(options),
        folder_(fs::path(options.output) / experiment.name),
        lock_(folder_, FolderLock::WhenTaken::refuse),
        varied_(experiment.varied.keys, experiment.varied.values) {
    // If these files stayed and this run failed or were interrupted, they would be taken for its own.
    std::error_code none;
    for (const ResultFile& file : experiment_files)
      if (file.is_of_runs) fs::remove(folder_ / file.name, none);
  }

  ExitCode simulate_all() {
    std::vector<std::unique_ptr<Ended>> ended(runs());  // until those before them have ended
    ProgressLine progress(experiment_.name, runs());
    run_in_order(
        runs(), options_.threads,
        [&](std::size_t i) {
          ended[i] = std::make_unique<Ended>(simulate(i, progress));
          progress.end(i, ended[i]->failure.code != success);
        },
        [&](std::size_t i) { take(*std::exchange(ended[i], nullptr), progress); });
    for (const std::string& line : failures_.lines(experiment_.where.file)) progress.print(line);
    return code_;
  }

  void write_and_print() {
    if (!any_result_) return;
    summary_->append(experiment_json_end());
    for (const auto& file : {&summary_, &runs_csv_, &layers_csv_}) (*file)->finish();
    if (!experiment_.comparisons.empty())
      write_file_atomically((folder_ / comparisons_file.name).string(),
                            comparisons_csv(experiment_.comparisons, report_.rows()));
    if (options_.quiet) return;
    if (options_.json)
      print_json_file();
    else
      print_text();
  }

 private:
  std::size_t runs() const { return experiment_.runs.size(); }

  // Returns the keys in which runs differ, with the values of this run.
  std::vector<std::pair<std::string, std::string>> varied_of(std::size_t run) const {
    std::vector<std::pair<std::string, std::string>> varied;
    for (std::size_t k = 0; k < experiment_.varied.keys.size(); ++k)
      varied.emplace_back(experiment_.varied.keys[k], experiment_.varied.values[run][k]);
    return varied;
  }

  // A failure of the run itself is only what keeps it from being simulated. Results that cannot be written
  // concern all runs.
  Ended simulate(std::size_t i, ProgressLine& progress) const {
    const RunSpec& spec = experiment_.runs[i];
    const fs::path folder = folder_ / spec.name;
    Ended ended;
    RunResult result;
    try {
      result = carry_out(spec, ended.warnings, options_.fold, progress.listener(i));
    } catch (...) {
      remove_reports(folder, spec.name);
      Ended failure = failed(spec, runs() == 1, std::current_exception());
      failure.warnings = std::move(ended.warnings);
      failure.summary.varied = varied_of(i);
      return failure;
    }
    if (runs() == 1) progress.begin("writing results");
    ended.summary = spec.workload->summary(spec, result);
    ended.summary.varied = varied_of(i);
    ended.summary.hashes = hash_spread(result.totals_by_seed);
    if (experiment_.reports.wants(spec.name, runs())) {
      make_run_folder(folder);
      write_reports({spec, result, ended.summary, folder.string() + "/", ended.warnings});
    } else {
      remove_reports(folder, spec.name);
    }
    ended.summary.warnings = ended.warnings.lines();
    ended.json = json_text(ended.summary);
    if (options_.explain) ended.explanation = spec.workload->explanation(spec, result);
    return ended;
  }

  // Runs come in order.
  void take(const Ended& run, ProgressLine& progress) {
    print_messages(run, progress);
    code_ = worse_of(code_, run.failure.code);
    any_result_ |= run.failure.code == success;
    explanations_ += run.explanation;
    if (!summary_) open_files();
    summary_->append(experiment_json_run(run.json, report_.rows().empty()));
    runs_csv_->append(runs_csv_line(report_.add(run.summary), varied_));
    layers_csv_->append(csv_lines_of(layer_table, layer_rows(run.summary)));
    if (runs() == 1) only_ = run.summary;
  }

  void open_files() {
    const auto open = [&](const ResultFile& of, const std::string& title) {
      auto file = std::make_unique<FileWriter>((folder_ / of.name).string());
      file->append(title);
      return file;
    };
    summary_ = open(summary_file, experiment_json_head(experiment_.name, experiment_.origin));
    runs_csv_ = open(runs_file, runs_csv_title(varied_.titles()));
    layers_csv_ = open(layers_file, csv_title(layer_table) + '\n');
  }

  // Prints each run's warnings and then the error that it failed with, each warning once.
  void print_messages(const Ended& ended, ProgressLine& progress) {
    const std::size_t printed = warnings_.lines().size();
    warnings_.add_all(ended.warnings);
    for (std::size_t i = printed; i < warnings_.lines().size(); ++i) progress.print(warnings_.lines()[i]);
    if (ended.failure.code != success && failures_.add(ended.summary.name, ended.summary.error))
      progress.print(ended.failure.text);
  }

  void print_json_file() const {
    constexpr std::size_t worth_a_call = std::size_t{1} << 16;
    std::ifstream file(folder_ / summary_file.name);
    std::string lines;
    for (std::string line; std::getline(file, line);) {
      lines.append(line).push_back('\n');
      if (lines.size() < worth_a_call) continue;
      print_json(lines);
      lines.clear();
    }
    print_json(lines);
    std::cerr << printable_lines(explanations_);
  }

  void print_text() const {
    const bool unicode = terminal_draws_unicode();
    print(only_ ? run_report(*only_, unicode) : report_.text(unicode));
    print(comparisons_table(experiment_.comparisons, report_.rows()) + explanations_ +
          "files: " + folder_.string() + "/" + which_reports() + "\n");
  }

  // Returns what the output says when not all runs have reports of their own; empty when all have.
  std::string which_reports() const {
    const auto wanted = std::ranges::count_if(
        experiment_.runs, [&](const RunSpec& run) { return experiment_.reports.wants(run.name, runs()); });
    if (static_cast<std::size_t>(wanted) == runs()) return {};
    return fmt::format(", with reports of {} of {} runs; --reports=all writes those of all",
                       wanted == 0 ? "none" : std::to_string(wanted), runs());
  }

  const Experiment& experiment_;
  const ExperimentOptions& options_;
  fs::path folder_;
  FolderLock lock_;
  Warnings warnings_;
  RepeatedFailures failures_;
  ExitCode code_ = success;
  bool any_result_ = false;
  std::unique_ptr<FileWriter> summary_, runs_csv_, layers_csv_;
  VariedColumns varied_;
  ComparisonReport report_;
  std::optional<Summary> only_;  // of an experiment of one run
  std::string explanations_;
};

}  // namespace

ExitCode simulate_experiment(const Experiment& experiment, const ExperimentOptions& options) {
  ExperimentRun run(experiment, options);
  const ExitCode code = run.simulate_all();
  run.write_and_print();
  return code;
}

}  // namespace orrery::core
