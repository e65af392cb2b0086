#include "cli/experiment_run.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/file.hpp"
#include "cli/console.hpp"
#include "cli/failure.hpp"
#include "cli/flag_values.hpp"
#include "report/astra1_reports.hpp"
#include "report/comparison.hpp"
#include "report/explanation.hpp"
#include "report/parallel_report.hpp"
#include "report/run_comparisons.hpp"
#include "report/run_tables.hpp"
#include "report/summary.hpp"
#include "report/training_explanation.hpp"
#include "report/training_report.hpp"
#include "study/result_summary.hpp"
#include "study/run.hpp"
#include "study/run_pool.hpp"

namespace orrery {

namespace {

namespace fs = std::filesystem;

// What is left of a run that has ended.
struct Ended {
  Warnings warnings;
  Failure failure;
  Summary summary;
  std::string json;  // of the summary
  std::string explanation;
};

void write_reports(const RunSpec& spec, const RunResult& result, const Summary& summary,
                   const fs::path& folder, Warnings& warnings) {
  ResultOptions options;
  options.run_name = spec.name;
  options.path = (folder / spec.name).string() + "/";
  make_output_folder(options.path);
  if (result.training) {
    write_training_reports(options.path, *result.training, warnings);
    return;
  }
  if (result.program) {
    write_parallel_reports(options.path, summary, *result.program, result.machine, result.parallel, warnings);
    return;
  }
  write_astra1_reports(result.graph, result.machine, result.recording, options, warnings);
}

// Only what keeps the run from being simulated is its own failure; results that cannot be written concern
// all. `alone`: the experiment has no other run.
Ended simulate_and_report(const RunSpec& spec, bool alone, const fs::path& folder,
                          const ExperimentOptions& options, const ProgressListener& progress) {
  Ended ended;
  RunResult result;
  try {
    result = carry_out(spec, ended.warnings, options.fold, progress);
  } catch (...) {
    const std::exception_ptr exception = std::current_exception();
    ended.failure = failure_of_run(exception, alone ? "" : spec.name, spec.where);
    ended.summary.name = spec.name;
    ended.summary.error = failure_of(exception).text;
    ended.json = json_text(ended.summary);
    return ended;
  }
  ended.summary = summary_of(spec, result);
  write_reports(spec, result, ended.summary, folder, ended.warnings);
  ended.json = json_text(ended.summary);
  if (options.explain && result.training) ended.explanation = training_explanation(spec.name, *spec.training);
  if (options.explain && result.program) ended.explanation = program_explanation(spec.name, *result.program);
  if (options.explain && !result.program && !result.training)
    ended.explanation = explanation(spec.name, result.machine, result.plan.survey, result.recording);
  return ended;
}

// Each run's warnings, then what it failed of, each warning once.
void print_messages(const Ended& ended, Warnings& all, ProgressLine& progress) {
  const std::size_t printed = all.lines().size();
  all.add_all(ended.warnings);
  for (std::size_t i = printed; i < all.lines().size(); ++i) progress.print(all.lines()[i]);
  if (ended.failure.code != success) progress.print(ended.failure.text);
}

std::vector<Ended> simulate_all(const std::vector<RunSpec>& specs, const std::string& title,
                                const fs::path& folder, const ExperimentOptions& options) {
  std::vector<Ended> runs(specs.size());
  Warnings warnings;
  ProgressLine progress(title, specs.size());
  run_in_order(
      specs.size(), options.threads,
      [&](std::size_t i) {
        runs[i] = simulate_and_report(specs[i], specs.size() == 1, folder, options, progress.listener(i));
        progress.end(i, runs[i].failure.code != success);
      },
      [&](std::size_t i) { print_messages(runs[i], warnings, progress); });
  return runs;
}

}  // namespace

ExitCode simulate_experiment(const Experiment& experiment, const ExperimentOptions& options) {
  const fs::path folder = fs::path(options.output) / experiment.name;
  std::vector<Ended> runs = simulate_all(experiment.runs, experiment.name, folder, options);
  ExitCode code = success;
  bool any_result = false;
  std::vector<Summary> summaries;
  std::vector<std::string> texts;
  std::string explanations;
  for (Ended& run : runs) {
    code = worse_of(code, run.failure.code);
    any_result |= run.failure.code == success;
    summaries.push_back(std::move(run.summary));
    texts.push_back(std::move(run.json));
    explanations += run.explanation;
  }
  if (!any_result) return code;

  const std::string text = experiment_json_text(experiment.name, texts);
  write_file_atomically((folder / "summary.json").string(), text);
  write_file_atomically((folder / "runs.csv").string(), runs_csv(summaries));
  write_file_atomically((folder / "layers.csv").string(), layers_csv(summaries));
  if (!experiment.comparisons.empty())
    write_file_atomically((folder / "comparisons.csv").string(),
                          comparisons_csv(experiment.comparisons, summaries));
  if (options.json) {
    std::cout << text;
    std::cerr << explanations;
    return code;
  }
  const bool unicode = terminal_draws_unicode();
  std::cout << (summaries.size() == 1 ? run_report(summaries[0], unicode)
                                      : comparison_report(summaries, unicode))
            << comparisons_table(experiment.comparisons, summaries) << explanations
            << "files: " << folder.string() << "/\n";
  return code;
}

}  // namespace orrery
