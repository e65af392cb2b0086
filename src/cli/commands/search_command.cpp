// orrery search: finds the best layouts of a transformer's training.
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files/input_log.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/inputs/input_kind.hpp"
#include "cli/progress_line.hpp"
#include "cli/sweeps/search_of_sweep.hpp"
#include "study/experiment/experiment.hpp"
#include "study/search/layout_json.hpp"
#include "study/search/layout_search.hpp"
#include "study/search/layout_table.hpp"
#include "study/search/network_search.hpp"
#include "study/search/searched_training.hpp"

namespace orrery::core {

namespace {

constexpr int max_gpus = 1 << 24, longest_list = 100'000;

struct SearchFlags {
  std::vector<std::string> files, overrides, keep;
  PluginFlags plugins;
  std::optional<int> gpus;          // none: as in the file
  std::optional<int> network_runs;  // none: twice the top
  int top = 10, threads = 1;
  std::string objective = "time", output = "results", store;
  bool exhaustive = false, json = false;
};

// Returns the options but for the number of GPUs.
SearchOptions options_of(const SearchFlags& flags) {
  SearchOptions options;
  for (const std::string& word : flags.keep)
    options.space.kept.set(static_cast<std::size_t>(word_of_flag(layout_choice_words, word, "--keep")));
  options.objective = word_of_flag(search_objective_words, flags.objective, "--objective");
  options.top = static_cast<std::size_t>(checked(flags.top, 1, longest_list, "--top"));
  if (flags.network_runs)
    options.network_runs =
        static_cast<std::size_t>(checked(*flags.network_runs, 1, longest_list, "--network-runs"));
  options.threads = checked_threads(flags.threads);
  options.exhaustive = flags.exhaustive;
  return options;
}

SearchOptions with_gpus(SearchOptions options, const SearchFlags& flags, const TrainingSetup& base) {
  options.space.gpus = base.gpus();
  if (!flags.gpus) return options;
  options.space.gpus = static_cast<std::uint64_t>(checked(*flags.gpus, 1, max_gpus, "--max-gpus"));
  options.space.fewer_gpus = true;
  return options;
}

void refuse_flags_of_sweeps(const SearchFlags& flags, bool has_sweep) {
  if (has_sweep && flags.gpus)
    throw InputError({"--max-gpus"}, "each point of a sweep says how many GPUs it has; leave this out");
  if (!has_sweep && !flags.store.empty())
    throw InputError({"--store"},
                     "only a search over a sweep keeps its runs; leave this out, or give the "
                     "experiment a `sweep`");
}

int search(const SearchFlags& flags, const CommandLine& written) {
  if (flags.files.size() != 1)
    throw InputError({}, fmt::format("a search starts from one experiment file, but {} are named",
                                     flags.files.empty() ? "none" : std::to_string(flags.files.size())));
  const std::string& file = flags.files.front();
  Warnings warnings;
  const InputLog inputs(InputLog::Holds::paths);
  const FileLoader load = flags.plugins.loader(inputs);
  const std::vector<std::string> plugins = inputs.paths();
  const InputNode document = experiment_document(read_experiment_text(file, load), file, flags.overrides);
  const bool has_sweep = document.find("sweep");
  refuse_flags_of_sweeps(flags, has_sweep);
  if (has_sweep)
    return search_sweep({file, flags.output, flags.store, flags.overrides, plugins, flags.json}, document,
                        inputs, load, options_of(flags), written);
  const Experiment experiment = read_experiment_file(file, flags.overrides, warnings, load);
  const TrainingSetup& base = searched_training(experiment, document, file);
  const SearchOptions options = with_gpus(options_of(flags), flags, base);
  require_whole_network(experiment.runs.front(), options.space, "--max-gpus");
  print_warnings(warnings);
  const TableOutput table(flags.output, experiment, layouts_file, inputs, flags.json);
  LayoutSearch found;
  {
    ProgressLine progress(experiment.name);
    found = search_experiment({experiment, document, file, load}, base, options, progress.steps());
  }
  table.write(layouts_csv(base, found));
  if (table.is_standard_output()) return success;
  if (flags.json) {
    nlohmann::ordered_json json = layouts_to_json(experiment.name, base, found);
    json["files"] = {table.path()};
    print_json(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else {
    print(layout_report(experiment.name, base, found) + "files: " + table.path() + "\n");
  }
  return success;
}

}  // namespace

Command add_search_command(CLI::App& command) {
  auto flags = std::make_shared<SearchFlags>();
  add_experiments(command, flags->files, flags->overrides);
  flags->plugins.add_to(command);
  command.add_option("--max-gpus", flags->gpus,
                     "GPUs at most: these, a half, a quarter and so on (default: as many as the file's run)");
  command
      .add_option("--keep", flags->keep,
                  "A choice that stays as the file has it, repeatable: tensor, sequence, context, expert, "
                  "pipeline, virtual-stages, micro, zero, shard or recompute")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--objective", flags->objective,
                     "What is best: time (of a step, default) or cost (GPUs times time)");
  command.add_option("--top", flags->top,
                     "So many of the best layouts, which are also run on a network (default: 10)");
  command.add_option(
      "--network-runs", flags->network_runs,
      "Layouts that are run on a network at most, beside the file's own (default: twice --top)");
  command.add_flag("--exhaustive", flags->exhaustive, "Simulate every layout that fits the memory");
  flags->threads = usual_threads();
  command.add_option("--threads", flags->threads, "Layouts simulated at a time (default: one per core)");
  command.add_flag("--json", flags->json, "Print what was found as JSON");
  command.add_option("--output", flags->output, table_output_meaning);
  command.add_option(
      "--store", flags->store,
      "File that keeps the runs of a search over a sweep (default: search.sqlite beside layouts.csv)");
  return [flags](const CommandLine& written) { return search(*flags, written); };
}

}  // namespace orrery::core
