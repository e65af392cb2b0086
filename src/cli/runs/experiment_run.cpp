#include "cli/runs/experiment_run.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostics/printable.hpp"
#include "cli/console.hpp"
#include "cli/failure.hpp"
#include "cli/progress_line.hpp"
#include "report/compare/comparison.hpp"
#include "report/compare/run_comparisons.hpp"
#include "report/stored/result_files.hpp"
#include "report/summary/run_tables.hpp"
#include "study/results/experiment_folder.hpp"
#include "study/run/run_pool.hpp"

namespace orrery::core {

namespace {

// Returns a line for the best run in an objective.
std::string best_run_text(const Objective& objective, const std::vector<RunRow>& rows) {
  const auto column = std::ranges::find(run_table, objective.column, &Column<RunRow>::name);
  const RunRow* best = nullptr;
  double best_value = 0;
  for (const RunRow& row : rows) {
    TypedColumn value = typed_column(column->name, column->unit, column->meaning, column->type);
    value.add(row.error.empty() ? column->cell(row) : Cell());
    if (value.missing > 0) continue;
    const double number =
        value.type == ValueType::real ? value.reals[0] : static_cast<double>(value.integers[0]);
    if (best && (objective.maximum ? number <= best_value : number >= best_value)) continue;
    best = &row;
    best_value = number;
  }
  if (!best) return fmt::format("{}: no run has a value\n", objective.column);
  return fmt::format("{} {}: {} with {}\n", objective.maximum ? "largest" : "least", objective.column,
                     readable(column->cell(*best), column->unit), best->name);
}

class ExperimentRun {
 public:
  ExperimentRun(const Experiment& experiment, const ExperimentOptions& options)
      : experiment_(experiment), options_(options), folder_(options.output, experiment) {}

  ExitCode simulate_all() {
    std::vector<std::unique_ptr<Ended>> ended(runs());  // until those before them have ended
    ProgressLine progress(experiment_.name, runs());
    run_in_order(
        runs(), options_.threads,
        [&](std::size_t i) {
          ended[i] = std::make_unique<Ended>(simulate(i, progress));
          progress.end(i, ended[i]->run.failure.kind != FailureKind::none);
        },
        [&](std::size_t i) { take(*std::exchange(ended[i], nullptr), progress); });
    for (const std::string& line : failures_.lines(experiment_.where.file)) progress.print(line);
    return code_;
  }

  void write_and_print() {
    folder_.finish();
    if (!any_result_ || options_.quiet) return;
    if (options_.json)
      print_json_file();
    else
      print_text();
  }

 private:
  struct Ended {
    EndedRun run;
    std::string explanation;
  };

  std::size_t runs() const { return experiment_.runs.size(); }

  Ended simulate(std::size_t i, ProgressLine& progress) const {
    RunWishes wishes{options_.fold, options_.explain, &folder_, progress.listener(i), {}};
    if (runs() == 1) wishes.begins_to_write = [&] { progress.begin("writing results"); };
    Ended ended{carry_out_one(experiment_, i, wishes), {}};
    const RunSpec& spec = experiment_.runs[i];
    if (ended.run.result) ended.explanation = spec.workload->explanation(spec, *ended.run.result);
    ended.run.result.reset();
    return ended;
  }

  // Runs come in order.
  void take(const Ended& ended, ProgressLine& progress) {
    const EndedRun& run = ended.run;
    print_messages(run, progress);
    code_ = worse_of(code_, exit_code_of(run.failure.kind));
    any_result_ |= run.failure.kind == FailureKind::none;
    explanations_ += ended.explanation;
    folder_.take(run);
    if (runs() == 1) only_ = run.summary;
  }

  // Prints each run's warnings and then the error that it failed with, each warning once.
  void print_messages(const EndedRun& ended, ProgressLine& progress) {
    const std::size_t printed = warnings_.lines().size();
    warnings_.add_all(ended.warnings);
    for (std::size_t i = printed; i < warnings_.lines().size(); ++i) progress.print(warnings_.lines()[i]);
    if (ended.failure.kind != FailureKind::none && failures_.add(ended.summary.name, ended.summary.error))
      progress.print(ended.failure.text);
  }

  void print_json_file() const {
    constexpr std::size_t worth_a_call = std::size_t{1} << 16;
    std::ifstream file(folder_.path() / summary_file.name);
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
    print(only_ ? run_report(*only_, unicode) : folder_.report().text(unicode));
    std::string best;
    for (const Objective& objective : experiment_.objectives)
      best += best_run_text(objective, folder_.report().rows());
    print(comparisons_table(experiment_.comparisons, folder_.report().rows()) + best + explanations_ +
          "files: " + folder_.path().string() + "/" + which_reports() + "\n");
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
  ExperimentFolder folder_;
  Warnings warnings_;
  RepeatedFailures failures_;
  ExitCode code_ = success;
  bool any_result_ = false;
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
