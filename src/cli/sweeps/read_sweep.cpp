#include "cli/sweeps/read_sweep.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "base/files/file.hpp"
#include "base/files/input_log.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/sweep_limits.hpp"
#include "cli/inputs/input_kind.hpp"
#include "cli/sweeps/stop_signals.hpp"
#include "study/cluster/sweep_parts.hpp"
#include "study/experiment/experiment.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

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

// Returns the runs that --shard or --part asks for.
RunChoice choice_of_runs(const SweepFlags& flags, const ReadSweep& read) {
  if (!flags.part) return shard_of_flag(flags.shard);
  const std::string text = read_file_of_any_kind(flags.parts);
  return [numbers = part_in(text, flags.parts, *flags.part, read.facts.sweep)](std::size_t number) {
    return numbers.contains(number);
  };
}

std::unique_ptr<SweptRuns> swept_runs_of(const SweepFlags& flags, const InputNode& document,
                                         ProgressLine& progress) {
  if (!document.find("sweep"))
    throw InputError({flags.file},
                     "has no `sweep`, which says what varies; give it one, or use `orrery run`");
  return std::make_unique<SweptRuns>(document, flags.file, progress.steps());
}

}  // namespace

std::unique_ptr<RunStore> ReadSweep::open(const std::string& path) const {
  return std::make_unique<RunStore>(path, facts, runs->space(), experiment_folder);
}

std::unique_ptr<ReadSweep> read_sweep(const SweepFlags& flags, const CommandLine& written,
                                      ProgressLine& progress) {
  const InputLog inputs;
  auto read = std::make_unique<ReadSweep>(flags.plugins.loader(inputs));
  read->plugins = inputs.paths();
  Warnings warnings;
  const std::string text = read_experiment_text(flags.file, read->load);
  const std::optional<NetworkModel> model = flags.network_model.model(read->load.extensions());
  const InputNode document = experiment_document(parse_yaml(text, flags.file), flags.overrides,
                                                 model ? (*model)->name : std::string_view());
  read->runs = swept_runs_of(flags, document, progress);
  read->runs->check(warnings, read->load);
  Origin origin;
  origin.command = written;
  origin.overrides = flags.overrides;
  origin.inputs = inputs.files();
  origin.seeds = seeds_of(document);
  origin.warnings = warnings.lines();
  read->facts = facts_of(*read->runs, origin, flags.allow_out_of_memory);
  read->store = flags.store.empty() ? (fs::path(flags.output) / (read->runs->name() + ".sqlite")).string()
                                    : flags.store;
  read->experiment_folder = fs::path(flags.file).parent_path().string();
  print_warnings(warnings);
  return read;
}

SweepWishes wishes_of(const SweepFlags& flags, const ReadSweep& read) {
  SweepWishes wishes;
  wishes.threads = checked_threads(flags.threads);
  wishes.fold = flags.fold;
  wishes.allow_out_of_memory = flags.allow_out_of_memory;
  wishes.reuse = {flags.any_version, !flags.retry_failed};
  wishes.takes = choice_of_runs(flags, read);
  if (!flags.only.empty()) wishes.only = SweepCondition{flags.only, {"--only"}};
  const SweepLimit limit = limit_of_flag(flags.limit);
  wishes.most = limit.runs;
  wishes.seconds = limit.seconds;
  wishes.report_folder = report_folder(flags, read.store);
  wishes.stop = [] { return StopSignals::asked(); };
  wishes.common_files = read.plugins;
  return wishes;
}

}  // namespace orrery::core
