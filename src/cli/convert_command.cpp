// orrery convert: writes what every rank of a run does as Chakra execution traces.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/file.hpp"
#include "base/folder_lock.hpp"
#include "base/words.hpp"
#include "cli/astra1_flags.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flag_values.hpp"
#include "cli/input_kind.hpp"
#include "cli/progress_line.hpp"
#include "cli/result_outputs.hpp"
#include "study/experiment.hpp"
#include "study/run.hpp"
#include "study/workloads/transformer_workload.hpp"
#include "workload/chakra/graph_trace.hpp"
#include "workload/chakra/trace_writer.hpp"

namespace orrery {

namespace {

namespace fs = std::filesystem;

struct ConvertOptions {
  std::vector<std::string> files;  // experiments
  std::vector<std::string> overrides;
  std::string output = "traces";
  bool per_rank = false, allow_out_of_memory = false;
  Astra1Flags flags;
};

std::vector<RunSpec> runs_of(const ConvertOptions& options, Warnings& warnings) {
  if (options.files.empty()) return {read_run(options.flags, warnings)};
  options.flags.refuse_beside(options.files[0]);
  std::vector<RunSpec> runs;
  std::set<std::string> names;
  for (const std::string& file : options.files) {
    for (RunSpec& run : read_experiment_file(file, options.overrides, warnings).runs) {
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

// Throws unless every rank does the same, as only such runs can be written as a trace.
void require_traceable(const RunSpec& spec, Warnings& warnings) {
  if (training_of(spec))
    throw InputError(spec.where, backquoted(spec.name) +
                                     " trains on a `platform`, which cannot be written as traces; describe "
                                     "it by `network` and `workload`");
  const RunResult run = prepare_run(spec, warnings);
  if (run.machine.dialect.issues_in_slots)
    throw InputError(spec.where,
                     backquoted(spec.name) + " runs execution traces, so that there is nothing to convert");
  if (!run.program.is_uniform())
    throw InputError(spec.where, backquoted(spec.name) +
                                     " is a program of several parts, which cannot be written as traces; "
                                     "leave its pipeline or parameter server out");
}

std::vector<std::string> converted_files(const RunSpec& spec, const ConvertOptions& options) {
  const std::string prefix = (fs::path(options.output) / spec.name).string();
  if (!options.per_rank) return {prefix + ".et"};
  std::vector<std::string> files;
  for (int rank = 0; rank < spec.topology->npus(); ++rank)
    files.push_back(fmt::format("{}.{}.et", prefix, rank));
  return files;
}

// Returns what there is to say of the files.
std::string write(const RunSpec& spec, const ConvertOptions& options, Warnings& warnings,
                  const StepListener& told) {
  const RunResult run = prepare_run(spec, warnings);
  const ExecutionGraph& graph = run.program.parts[0].graph;
  const chakra::RecordedGraph recorded{graph, spec.passes,
                                       static_cast<int>(all_dimensions(run.program).size()), run.split, ""};
  const std::string bytes = chakra::write_trace(chakra::trace_of(recorded));
  const std::vector<std::string> files = converted_files(spec, options);
  for (std::size_t i = 0; i < files.size(); ++i) {
    write_file_atomically(files[i], bytes);
    if (options.per_rank) told(i + 1, files.size(), "traces of " + spec.name);
  }
  return fmt::format("{}: {} nodes for each of {} NPUs, {}\n", spec.name, graph.size(), spec.topology->npus(),
                     options.per_rank ? files.front() + " to " + files.back() : files.front());
}

int convert(const ConvertOptions& options) {
  Warnings warnings;
  require_output_folder(options.output);
  const InputLog inputs(InputLog::Holds::paths);
  const std::vector<RunSpec> runs = runs_of(options, warnings);
  std::string text;
  {
    ProgressLine progress("convert");
    progress.begin("preparing runs");
    for (const RunSpec& run : runs) require_traceable(run, warnings);
    OutputFiles outputs;
    for (const RunSpec& run : runs)
      for (std::string& file : converted_files(run, options)) outputs.add(std::move(file));
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
  command.add_option("--output", options->output, "Folder for the traces (default: traces)");
  command.add_flag("--per-rank", options->per_rank,
                   "A file for every rank, as other simulators need it, instead of one for all");
  add_allow_out_of_memory(command, options->allow_out_of_memory);
  options->flags.add_to(command);
  return [options](const CommandLine&) { return convert(*options); };
}

}  // namespace orrery
