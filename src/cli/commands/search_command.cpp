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
  std::optional<int> gpus;  // none: as in the file
  int top = 10, threads = 1;
  std::string objective = "time", output = "results";
  bool exhaustive = false, json = false;
};

SearchOptions options_of(const SearchFlags& flags, const TrainingSetup& base) {
  SearchOptions options;
  options.space.gpus = base.gpus();
  if (flags.gpus) {
    options.space.gpus = static_cast<std::uint64_t>(checked(*flags.gpus, 1, max_gpus, "--max-gpus"));
    options.space.fewer_gpus = true;
  }
  for (const std::string& word : flags.keep)
    options.space.kept.set(static_cast<std::size_t>(word_of_flag(layout_choice_words, word, "--keep")));
  options.objective = word_of_flag(search_objective_words, flags.objective, "--objective");
  options.top = static_cast<std::size_t>(checked(flags.top, 1, longest_list, "--top"));
  options.threads = checked_threads(flags.threads);
  options.exhaustive = flags.exhaustive;
  return options;
}

int search(const SearchFlags& flags) {
  if (flags.files.size() != 1)
    throw InputError({}, fmt::format("a search starts from one experiment file, but {} are named",
                                     flags.files.empty() ? "none" : std::to_string(flags.files.size())));
  const std::string& file = flags.files.front();
  Warnings warnings;
  const InputLog inputs(InputLog::Holds::paths);
  const FileLoader load = flags.plugins.loader(inputs);
  const Experiment experiment = read_experiment_file(file, flags.overrides, warnings, load);
  const InputNode document = experiment_document(inputs.read(file), file, flags.overrides);
  const TrainingSetup& base = searched_training(experiment, document, file);
  const SearchOptions options = options_of(flags, base);
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
  command.add_flag("--exhaustive", flags->exhaustive, "Simulate every layout that fits the memory");
  flags->threads = usual_threads();
  command.add_option("--threads", flags->threads, "Layouts simulated at a time (default: one per core)");
  command.add_flag("--json", flags->json, "Print what was found as JSON");
  command.add_option("--output", flags->output, table_output_meaning);
  return [flags](const CommandLine&) { return search(*flags); };
}

}  // namespace orrery::core
