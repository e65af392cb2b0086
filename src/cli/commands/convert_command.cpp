// orrery convert: writes what every rank of a run does as Chakra execution traces.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "base/files/folder_lock.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/astra1_flags.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/inputs/input_kind.hpp"
#include "cli/progress_line.hpp"
#include "report/table/table.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "workload/chakra/conversion/graph_trace.hpp"
#include "workload/chakra/conversion/program_traces.hpp"
#include "workload/chakra/files/trace_writer.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

struct ConvertOptions {
  std::vector<std::string> files;  // experiments
  std::vector<std::string> overrides;
  PluginFlags plugins;
  std::string output = "traces";
  bool per_rank = false, allow_out_of_memory = false;
  Astra1Flags flags;
};

std::vector<RunSpec> runs_of(const ConvertOptions& options, Warnings& warnings, const FileLoader& load) {
  if (options.files.empty()) return {read_run(options.flags, warnings, load)};
  options.flags.refuse_beside(options.files[0]);
  std::vector<RunSpec> runs;
  std::set<std::string> names;
  for (const std::string& file : options.files) {
    for (RunSpec& run : read_experiment_file(file, options.overrides, warnings, load).runs) {
      run.allow_out_of_memory = options.allow_out_of_memory;
      if (!names.insert(run.name).second)
        throw InputError(run.where,
                         "there are two runs " + backquoted(run.name) +
                             ", whose traces would be written over each other; convert the experiments "
                             "one by one, with --output");
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

// Throws where a run cannot be written as traces.
RunResult traceable_run(const RunSpec& spec, Warnings& warnings) {
  RunResult run = prepare_run(spec, warnings);
  if (run.program.issues_in_slots())
    throw InputError(spec.where,
                     backquoted(spec.name) + " runs execution traces, so that there is nothing to convert");
  return run;
}

std::string prefix_of(const RunSpec& spec, const ConvertOptions& options) {
  return (fs::path(options.output) / spec.name).string();
}

std::uint32_t npus_of(const RunResult& run) {
  return static_cast<std::uint32_t>(run.machine.topology.npus());
}

chakra::ProgramTraces traces_of(const RunSpec& spec, const chakra::RecordedProgram& recorded) {
  try {
    return chakra::ProgramTraces(recorded);
  } catch (const std::invalid_argument& why) {
    throw InputError(spec.where, fmt::format("{} {}, which cannot be written as traces; leave that out",
                                             backquoted(spec.name), why.what()));
  }
}

std::string groups_json(const std::map<int, std::vector<int>>& groups) {
  auto json = nlohmann::ordered_json::object();
  for (const auto& [number, members] : groups) json[std::to_string(number)] = members;
  return json.dump() + "\n";
}

// Writes a program whose ranks do the same as one trace. Returns what there is to say of the files.
std::string write_equal_ranks(const RunSpec& spec, const RunResult& run, const std::string& prefix,
                              bool per_rank, const StepListener& told) {
  const ExecutionGraph& graph = run.program.parts[0].graph;
  const chakra::RecordedGraph recorded{graph, spec.passes,
                                       static_cast<int>(all_dimensions(run.program).size()), run.split, ""};
  const std::string bytes = chakra::write_trace(chakra::trace_of(recorded));
  const std::uint32_t npus = npus_of(run);
  if (per_rank) {
    for (std::uint32_t rank = 0; rank < npus; ++rank) {
      write_file_atomically(fmt::format("{}.{}.et", prefix, rank), bytes);
      told(rank + 1, npus, "traces of " + spec.name);
    }
  } else {
    write_file_atomically(prefix + ".et", bytes);
  }
  return fmt::format(
      "{}: {} nodes for each of {} NPUs, {}\n", spec.name, graph.size(), npus,
      per_rank ? fmt::format("{}.0.et to {}.{}.et", prefix, prefix, npus - 1) : prefix + ".et");
}

constexpr std::string_view on_its_network =
    "  In an experiment (`workload: { traces: ... }`) they run as the run that they were written from.";
constexpr std::string_view without_network =
    "  In an experiment (`workload: { traces: ... }`) they need a `network`. There collectives take "
    "their own time, and not that of the closed forms on the platform's links.";
// Says how such a program runs by the rules of ASTRA-sim 2.
constexpr std::string_view by_rules_of_astra_sim_2 =
    " By the flags of ASTRA-sim 2 a rank computes one thing and communicates with one other at a time, in "
    "program order; groups smaller than the machine are one ring each, or the only algorithm that is named, "
    "with 10 ns of endpoint delay; what the next step would hide at the end of this one counts; barriers and "
    "collectives with a root need --real-collectives.\n";

// Writes a program whose ranks do different things, or form groups, as a trace for each rank.
std::string write_program(const RunSpec& spec, const RunResult& run, const std::string& prefix,
                          const StepListener& told) {
  const chakra::RecordedProgram recorded{run.program, npus_of(run), spec.passes};
  const chakra::ProgramTraces traces = traces_of(spec, recorded);
  std::size_t nodes = 0;
  for (const RankId rank : first_ids<RankId>(recorded.ranks)) {
    const chakra::Trace trace = traces.of_rank(rank);
    nodes += trace.nodes.size();
    write_file_atomically(fmt::format("{}.{}.et", prefix, rank.value()), chakra::write_trace(trace));
    told(rank.index() + 1, recorded.ranks, "traces of " + spec.name);
  }
  std::string text = fmt::format(
      "{}: {} nodes of {} NPUs in {}, {}.0.et to {}.{}.et", spec.name, nodes, recorded.ranks,
      run.program.parts.size() == 1 ? "1 part" : fmt::format("{} parts", run.program.parts.size()), prefix,
      prefix, recorded.ranks - 1);
  if (!traces.groups().empty()) {
    const std::string file = prefix + "-groups.json";
    write_file_atomically(file, groups_json(traces.groups()));
    text += fmt::format(", and {} groups, {}", traces.groups().size(), file);
  }
  const std::string_view in_experiments = spec.has_network() ? on_its_network : without_network;
  return text + "\n" + wrapped(std::string(in_experiments) + std::string(by_rules_of_astra_sim_2), 2);
}

std::string write(const RunSpec& spec, const ConvertOptions& options, Warnings& warnings,
                  const StepListener& told) {
  const RunResult run = traceable_run(spec, warnings);
  const std::string prefix = prefix_of(spec, options);
  return run.program.is_uniform() ? write_equal_ranks(spec, run, prefix, options.per_rank, told)
                                  : write_program(spec, run, prefix, told);
}

// Returns the files that a run's traces will be. Throws before anything is written.
std::vector<std::string> files_of(const RunSpec& spec, const ConvertOptions& options, Warnings& warnings) {
  const RunResult run = traceable_run(spec, warnings);
  const std::string prefix = prefix_of(spec, options);
  std::vector<std::string> files;
  if (run.program.is_uniform()) {
    if (!options.per_rank) return {prefix + ".et"};
  } else {
    const chakra::RecordedProgram recorded{run.program, npus_of(run), spec.passes};
    if (!traces_of(spec, recorded).groups().empty()) files.push_back(prefix + "-groups.json");
  }
  for (std::uint32_t rank = 0; rank < npus_of(run); ++rank)
    files.push_back(fmt::format("{}.{}.et", prefix, rank));
  return files;
}

int convert(const ConvertOptions& options) {
  Warnings warnings;
  require_output_folder(options.output);
  const InputLog inputs(InputLog::Holds::paths);
  const FileLoader load = options.plugins.loader(inputs);
  std::vector<RunSpec> runs = runs_of(options, warnings, load);
  for (RunSpec& run : runs) run.every_collective = true;
  std::string text;
  {
    ProgressLine progress("convert");
    progress.begin("preparing runs");
    OutputFiles outputs;
    for (const RunSpec& run : runs)
      for (std::string& file : files_of(run, options, warnings)) outputs.add(std::move(file));
    outputs.refuse_inputs(inputs);
    const FolderLock lock(options.output, FolderLock::WhenTaken::refuse);
    for (const RunSpec& run : runs) {
      progress.begin("writing traces of " + run.name);
      text += write(run, options, warnings, progress.steps());
    }
  }
  print(text);
  print_warnings(warnings);
  return success;
}

}  // namespace

Command add_convert_command(CLI::App& command) {
  auto options = std::make_shared<ConvertOptions>();
  add_experiments(command, options->files, options->overrides);
  options->plugins.add_to(command);
  command.add_option("--output", options->output, "Folder for the traces (default: traces)");
  command.add_flag("--per-rank", options->per_rank,
                   "A file for every rank, as other simulators need it, instead of one for all");
  add_allow_out_of_memory(command, options->allow_out_of_memory);
  options->flags.add_to(command);
  return [options](const CommandLine&) { return convert(*options); };
}

}  // namespace orrery::core
