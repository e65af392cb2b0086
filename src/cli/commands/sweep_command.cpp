// orrery sweep: simulates the runs of an experiment's sweep, and keeps them in a store.
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/diagnostics/printable.hpp"
#include "base/files/input_log.hpp"
#include "base/text/readable.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/network_model_flag.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/flags/sweep_limits.hpp"
#include "cli/inputs/input_kind.hpp"
#include "cli/progress_line.hpp"
#include "study/experiment/experiment.hpp"
#include "study/store/stored_study.hpp"
#include "study/sweep/sweep.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

constexpr std::array<EnumName<bool>, 2> sweep_fold_words{{{"auto", true}, {"off", false}}};
constexpr std::size_t most_reasons = 5;

struct SweepFlags {
  std::string file, store, output = "results", limit, only, shard, reports;
  std::vector<std::string> overrides;
  PluginFlags plugins;
  NetworkModelFlag network_model;
  int threads = 1;
  bool fold = true, allow_out_of_memory = false, any_version = false, retry_failed = false, json = false;
};

// Set when the user, or the system, asks the program to stop.
std::atomic<bool> asked_to_stop = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal's handler sets it");

// As long as it lives, the usual signals end the sweep and not the program, so that it says how to go on. A
// second one ends the program.
class StopSignals {
 public:
  StopSignals() {
    for (const int signal : signals) std::signal(signal, stop);
  }
  ~StopSignals() {
    for (const int signal : signals) std::signal(signal, SIG_DFL);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  static constexpr std::array<int, 2> signals{SIGINT, SIGTERM};
  static void stop(int signal) {
    asked_to_stop = true;
    std::signal(signal, SIG_DFL);
  }
};

std::string store_of(const SweepFlags& flags, const std::string& name) {
  return flags.store.empty() ? (fs::path(flags.output) / (name + ".sqlite")).string() : flags.store;
}

// Returns which runs have reports of their own: all, none or those that are named.
std::function<std::string(const std::string&)> report_folder(const SweepFlags& flags,
                                                             const std::string& store) {
  if (flags.reports.empty() || flags.reports == "none") return {};
  fs::path folder = store;
  folder.replace_extension("");
  std::set<std::string> named;
  if (flags.reports != "all")
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
      end = flags.reports.find(',', begin);
      named.insert(flags.reports.substr(begin, end - begin));
    }
  return [folder = folder.string(), named = std::move(named)](const std::string& run) {
    return named.empty() || named.contains(run) ? folder : std::string();
  };
}

SweepWishes wishes_of(const SweepFlags& flags, const std::string& store) {
  SweepWishes wishes;
  wishes.threads = checked_threads(flags.threads);
  wishes.fold = flags.fold;
  wishes.allow_out_of_memory = flags.allow_out_of_memory;
  wishes.reuse = {flags.any_version, !flags.retry_failed};
  wishes.shard = shard_of_flag(flags.shard);
  if (!flags.only.empty()) wishes.only = SweepCondition{flags.only, {"--only"}};
  const SweepLimit limit = limit_of_flag(flags.limit);
  wishes.most = limit.runs;
  wishes.seconds = limit.seconds;
  wishes.report_folder = report_folder(flags, store);
  wishes.stop = [] { return asked_to_stop.load(); };
  return wishes;
}

std::string runs_text(std::size_t count) {
  return fmt::format("{} run{}", count, count == 1 ? "" : "s");
}

std::string line_of_best(StoredStudy& study, const Objective& objective) {
  const StoreColumn* const column = study.find(objective.column);
  if (!column) throw InputError({objective.column}, "is no column of this store, which another version has written");
  RunSelection best;
  best.where = objective.column + " is not null";
  best.sort = objective.column + (objective.maximum ? " desc" : "");
  best.limit = 1;
  const TypedTable table = study.table({*study.find("run"), *column}, best);
  if (table.rows == 0) return fmt::format("  {}: no run has a value\n", objective.column);
  const TypedColumn& values = table.columns[1];
  const Cell value = values.type == ValueType::real ? Cell(values.reals[0]) : Cell(values.integers[0]);
  return fmt::format("  {} {}: {} with {}\n", objective.maximum ? "largest" : "least", objective.column,
                     readable(value, column->unit), table.columns[0].text(0));
}

std::string outcome_text(const std::string& name, const SweepOutcome& outcome, StoredStudy& study) {
  std::string text = fmt::format("{}: {}, {} simulated now, {} in the store before", name,
                                 runs_text(outcome.runs), outcome.simulated, outcome.reused);
  const std::size_t left = outcome.runs - std::min(outcome.runs, outcome.simulated + outcome.reused);
  text += outcome.complete || left == 0 ? "\n" : fmt::format(", {} left\n", left);
  if (outcome.runs == 0) text += "  no run meets --only, or belongs to the --shard\n";
  std::vector<Objective> objectives = study.objectives();
  if (objectives.empty()) objectives.push_back({"step_us", false});
  for (const Objective& objective : objectives) text += line_of_best(study, objective);
  RunSelection failed;
  failed.where = "status == 'failed'";
  if (const std::size_t count = study.count(failed); count > 0) {
    text += fmt::format("  {} failed:\n", runs_text(count));
    for (const StoredStudy::Reason& reason : study.reasons(most_reasons))
      text += fmt::format("    {}: {}\n", runs_text(reason.runs), reason.text);
  }
  RunSelection all;
  all.of_earlier_sweeps = true;
  if (const std::size_t earlier = study.count(all) - study.count({}); earlier > 0)
    text += fmt::format("  {} of earlier sweeps stay in the file\n", runs_text(earlier));
  return text +
         fmt::format("store: {}; `orrery results` shows its runs, `orrery report` makes a page of them\n",
                     study.path());
}

nlohmann::ordered_json outcome_json(const std::string& name, const SweepOutcome& outcome,
                                    StoredStudy& study) {
  nlohmann::ordered_json json{{"study", name},
                              {"store", study.path()},
                              {"runs", outcome.runs},
                              {"simulated", outcome.simulated},
                              {"reused", outcome.reused},
                              {"complete", outcome.complete}};
  RunSelection failed;
  failed.where = "status == 'failed'";
  json["failed"] = study.count(failed);
  for (const StoredStudy::Reason& reason : study.reasons(most_reasons))
    json["reasons"].push_back({{"runs", reason.runs}, {"reason", reason.text}});
  return json;
}

void make_folder_of(const std::string& store) {
  const fs::path folder = fs::path(store).parent_path();
  std::error_code failure;
  if (!folder.empty()) fs::create_directories(folder, failure);
  if (failure)
    throw InputError({folder.string()}, failure.message() + ", choose another --output or --store");
}

struct ReadSweep {
  InputNode document;
  std::unique_ptr<SweptRuns> runs;
  Origin origin;
};

ReadSweep read_swept_experiment(const SweepFlags& flags, const CommandLine& written, const FileLoader& load,
                                const InputLog& inputs, Warnings& warnings, ProgressLine& progress) {
  const std::string text = read_experiment_text(flags.file, load);
  const std::optional<NetworkModel> model = flags.network_model.model(load.extensions());
  ReadSweep read;
  read.document = experiment_document(parse_yaml(text, flags.file), flags.overrides,
                                      model ? (*model)->name : std::string_view());
  if (!read.document.find("sweep"))
    throw InputError({flags.file},
                     "has no `sweep`, which says what varies; give it one, or use `orrery run`");
  read.runs = std::make_unique<SweptRuns>(read.document, flags.file, progress.steps());
  read.runs->check(warnings, load);
  read.origin.command = written;
  read.origin.overrides = flags.overrides;
  read.origin.inputs = inputs.files();
  read.origin.seeds = seeds_of(read.document);
  read.origin.warnings = warnings.lines();
  return read;
}

int sweep(const SweepFlags& flags, const CommandLine& written) {
  require_output_folder(flags.output);
  Warnings warnings;
  const InputLog inputs;
  const FileLoader load = flags.plugins.loader(inputs);
  const std::vector<std::string> plugins = inputs.paths();
  SweepOutcome outcome;
  ReadSweep read;
  std::string path;
  {
    ProgressLine progress(fs::path(flags.file).stem().string());
    read = read_swept_experiment(flags, written, load, inputs, warnings, progress);
    print_warnings(warnings);
    path = store_of(flags, read.runs->name());
    SweepWishes wishes = wishes_of(flags, path);
    wishes.common_files = plugins;
    wishes.told = [&](const SweepProgress& so_far, const std::string&, const std::string&) {
      progress.set_steps(so_far.reused + so_far.simulated, read.runs->size(), "runs", so_far.failed);
    };
    make_folder_of(path);
    RunStore store(path, facts_of(*read.runs, read.origin, flags.allow_out_of_memory), read.runs->space(),
                   fs::path(flags.file).parent_path().string());
    const StopSignals signals;
    outcome = simulate_sweep(*read.runs, store, load, wishes);
  }
  StoredStudy study(path);
  if (flags.json)
    print_json(outcome_json(read.runs->name(), outcome, study).dump(2) + "\n");
  else
    print(outcome_text(read.runs->name(), outcome, study));
  if (!asked_to_stop) return success;
  constexpr int stopped_by_signal = 130;
  std::cerr << "stopped; the same command goes on where this one was\n";
  return stopped_by_signal;
}

}  // namespace

Command add_sweep_command(CLI::App& command) {
  auto flags = std::make_shared<SweepFlags>();
  command.add_option("experiment", flags->file, "Experiment file with a `sweep`")->required();
  add_overrides(command, flags->overrides);
  flags->plugins.add_to(command);
  flags->network_model.add_to(command);
  command.add_option(
      "--store", flags->store,
      "File for the runs (default: the name of the experiment and .sqlite, in the output folder)");
  command.add_option("--output", flags->output, results_output_meaning);
  flags->threads = usual_threads();
  command.add_option("--threads", flags->threads, "Runs simulated at a time (default: one per core)");
  command.add_option("--limit", flags->limit, "End after so many runs, or a time such as 10min");
  command.add_option(
      "--only", flags->only,
      "Simulate only runs for which an expression over the keys is true, such as 'tensor == 8'");
  command.add_option("--shard", flags->shard,
                     "Simulate one of several equal parts, such as 2/8; each into a store of its own");
  command.add_option("--reports", flags->reports,
                     "Runs that write reports of their own: all, none or names with commas (default: none)");
  command.add_flag("--reuse-any-version", flags->any_version,
                   "Keep runs in the store that another version of Orrery has simulated");
  command.add_flag("--retry-failed", flags->retry_failed, "Simulate runs again that failed");
  add_allow_out_of_memory(command, flags->allow_out_of_memory);
  command
      .add_option_function<std::string>(
          "--fold",
          [flags](const std::string& word) { flags->fold = word_of_flag(sweep_fold_words, word, "--fold"); },
          "Simulate equal ranks once where that is exact: auto (default) or off")
      ->expected(1);
  command.add_flag("--json", flags->json, "Print what came of the sweep as JSON");
  return [flags](const CommandLine& written) { return sweep(*flags, written); };
}

}  // namespace orrery::core
