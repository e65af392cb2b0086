#include "cli/commands/trace_command.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "base/diagnostics/printable.hpp"
#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "base/files/folder_lock.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/option_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/inputs/input_kinds.hpp"
#include "cli/progress_line.hpp"
#include "report/critical_path/path_report.hpp"
#include "report/network/link_report.hpp"
#include "report/traces/local_memory.hpp"
#include "report/traces/trace_report.hpp"
#include "report/traces/trace_tables.hpp"
#include "simulate/slots/program_faults.hpp"
#include "study/astra2/trace_exporters.hpp"
#include "study/astra2/trace_run.hpp"
#include "study/experiment/timeline_choice.hpp"
#include "study/run/network_faults.hpp"
#include "study/run/run.hpp"
#include "study/workloads/traces/trace_workload.hpp"
#include "workload/chakra/files/byte_source.hpp"

namespace orrery::core {

namespace {

const std::string& required(const std::string& path, const char* flag) {
  if (path.empty()) throw InputError({flag}, "missing, name the file");
  return path;
}

TraceFiles files_of(const Astra1Flags& flags, const TraceFlags& trace_flags,
                    std::optional<NetworkModel> model) {
  TraceFiles files;
  files.traces = required(flags.workload, "--workload-configuration");
  files.system = required(flags.system, "--system-configuration");
  files.network = required(flags.network, "--network-configuration");
  files.memory = trace_flags.memory;
  if (trace_flags.groups != "empty") files.groups = trace_flags.groups;
  files.injection_scale = scale_factor(flags.injection_scale, "--injection-scale", false);
  files.queues_per_dimension = checked_queues(flags.queues_per_dimension);
  files.rendezvous = flags.rendezvous;
  files.real_collectives = trace_flags.real_collectives;
  files.library = trace_flags.library;
  files.logical_topology = trace_flags.logical_topology;
  files.order = word_of_flag(trace_order_words, trace_flags.order, "--order");
  files.model = model;
  return files;
}

// Throws InputError where the workload is one of ASTRA-sim 1.0.
void refuse_layer_table(const std::string& workload) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(workload, unknown)) return;
  const InputKind& kind = kind_of_input(chakra::beginning_of_file(workload, telling_beginning));
  if (kind.flag == "--workload-configuration" && kind.check)
    throw InputError(
        {workload},
        fmt::format("this is {} of ASTRA-sim 1.0, but the other files or flags are those of "
                    "execution traces (ASTRA-sim 2): give it a system file of ASTRA-sim 1.0 and none of "
                    "the flags of ASTRA-sim 2",
                    kind.name));
}

void warn_of_flags_without_effect(const Astra1Flags& flags, Warnings& warnings) {
  for (const char* flag :
       {"--compute-scale", "--comm-scale", "--num-passes", "--run-name", "--total-stat-rows", "--stat-row",
        "--units-count", "--links-count", "--link-bandwidth", "--link-latency", "--dialect"}) {
    if (flags.given(flag)) warnings.add({flag}, "has no effect on execution traces");
  }
}

TimelineFormats timelines_of(const Astra1Flags& flags, const std::string& text) {
  if (text.empty()) return {&csv_timeline};
  if (!flags.given("--path"))
    throw InputError({"--timeline"}, "needs a place for its files, name one with --path");
  return timelines_of_flag(text);
}

// Adds the options of the network that the flags give.
void add_options(const TraceFlags& flags, RunSpec& run, const FileLoader& load) {
  OptionUse use = option_use_of(run);
  use.by_flags = true;
  for (std::size_t i = 0; i < network_option_kinds.size(); ++i) {
    if (flags.network_options[i].empty()) continue;
    const NetworkOptionKind& kind = *network_option_kinds[i];
    throw_if(fault_of(kind, use, {flag_of(kind)}));
    const SharedOption read = read_option_of_flag(kind, flags.network_options[i], load);
    run.network.options.push_back(fitting(read, use, {flag_of(kind)}));
  }
}

// A run of traces, which was built or simulated.
struct TraceRun {
  RunSpec spec;
  RunResult result;

  const TraceRules& rules() const { return trace_detail(result).rules; }
  TraceView traces() const { return traces_of(result); }
};

TraceRun read_run(const Astra1Flags& flags, const TraceFlags& trace_flags, const ExperimentOptions& options,
                  const FileLoader& load, Warnings& warnings, const TraceProgramBuilder::Fault& fault) {
  warn_of_flags_without_effect(flags, warnings);
  const TraceFiles files = files_of(flags, trace_flags, options.network_model.model());
  refuse_layer_table(files.traces);
  ProgressLine progress("traces");
  progress.begin("reading traces");
  TraceRun run;
  run.spec = read_trace_run(files, load, warnings, fault, progress.steps());
  run.spec.timelines = timelines_of(flags, options.timeline);
  trace_flags.routes.apply(run.spec.topology.edit(), run.spec.network.model, load);
  NetworkSetup& network = run.spec.network;
  if (!trace_flags.packets.empty()) {
    if (network.packets)
      throw InputError({"--packets"},
                       "the network file is a config.txt of ns-3, which describes the packets; leave "
                       "one of the two out");
    network.packets = packets_of_flag(trace_flags.packets, *run.spec.topology, network.model, warnings, load);
  }
  add_options(trace_flags, run.spec, load);
  run.result = build_run(run.spec, warnings, options.fold);
  if (run.rules().track_local_memory)
    require_folder_of(run.rules().local_memory_file, run.spec.system->where);
  return run;
}

// The warnings are printed also when there is an error.
TraceRun read_and_warn(const Astra1Flags& flags, const TraceFlags& trace_flags,
                       const ExperimentOptions& options, const FileLoader& load, Warnings& warnings,
                       const TraceProgramBuilder::Fault& fault = {}) {
  try {
    TraceRun run = read_run(flags, trace_flags, options, load, warnings, fault);
    print_warnings(warnings);
    return run;
  } catch (const InputError&) {
    print_warnings(warnings);
    throw;
  }
}

std::string local_memory_file(const TraceRun& run, RankId rank) {
  return run.rules().local_memory_file + "." + std::to_string(rank.value()) + ".json";
}

// Throws InputError where results would replace one of the inputs. The name of each result follows the text
// of --path.
void keep_inputs_of_traces(const TraceRun& run, const std::string& path, const InputLog& inputs) {
  OutputFiles outputs;
  for (const ResultFile& file : {summary_file, critical_path_file, blame_file}) outputs.add(path + file.name);
  for (const Exporter* exporter : trace_exporters) {
    if (exporter == &trace_timeline_exporter) continue;
    for (std::string& file : exporter->files(path, run.spec.name)) outputs.add(std::move(file));
  }
  for (const TimelineFormat* format : run.spec.timelines)
    for (std::string& file : format->files(path)) outputs.add(std::move(file));
  if (run.rules().track_local_memory)
    for (const RankId rank : first_ids<RankId>(run.traces().ranks()))
      outputs.add(local_memory_file(run, rank));
  outputs.refuse_inputs(inputs);
  outputs.refuse_inputs(run.result.program.files);
}

// Says where the time goes along the critical path. `path` is the beginning of the names of its tables; if it
// is empty, none are written.
RunExplanations explanation_of(const TraceRun& run, const std::optional<std::string>& path) {
  const Program& program = run.result.program;
  const Recording& recording = run.result.recording;
  const std::vector<PathStep> steps = critical_path(program, recording);
  const PathContext context{run.spec.name, program, run.result.machine.topology, layer_passes,
                            recording.end()};
  const std::vector<PathShare> shares = path_shares(context, steps);
  RunExplanations made;
  if (path) {
    std::vector<PathRow> rows;
    for (const PathStep& step : steps) rows.push_back({context, step});
    made.files = {*path + critical_path_file.name, *path + blame_file.name};
    write_file_atomically(made.files[0], csv_of(critical_path_table, rows));
    write_file_atomically(made.files[1], csv_of(path_share_table, shares));
  }
  made.text = path_text(context, steps, shares, terminal_draws_unicode());
  nlohmann::ordered_json& json = made.runs.emplace_back();
  json["run"] = context.run;
  json["critical_path_us"] = recording.end().us();
  json["shares"] = json_of<nlohmann::ordered_json>(path_share_table, shares);
  return made;
}

void simulate_traces(TraceRun& run, Warnings& warnings) {
  const std::size_t printed = warnings.lines().size();
  {
    ProgressLine progress(run.spec.name);
    simulate_run(run.spec, run.result, progress.listener());
  }
  warn_of_what_never_happens(run.spec, run.result, warnings);
  print_warnings(warnings, printed);
}

// Adds the traces to the files that were read, which takes as long as reading them once more.
void note_traces(const TraceRun& run, const InputLog& inputs) {
  for (const std::string& file : run.result.program.files) inputs.note(file);
}

void write_results(const TraceRun& run, const Summary& summary, const std::string& json,
                   const std::string& path) {
  Warnings warnings;
  with_progress(run.spec.name, "writing results", [&] {
    write_reports({run.spec, run.result, summary, path, warnings}, trace_exporters);
    const FolderLock lock(folder_of(path), FolderLock::WhenTaken::wait);
    write_file_atomically(path + summary_file.name, json);
  });
  print_warnings(warnings);
}

// Warnings go to stderr, because stdout has the lines of ASTRA-sim 2.
void warn_of_overloaded_links(const TraceRun& run, const std::string& file) {
  const Recording& recording = run.result.recording;
  const std::vector<BusiestLinks> busiest =
      busiest_links(recording.links, run.result.machine.topology, recording.end());
  if (run.spec.network.model->carries_collectives || busiest.empty() || !overloaded(busiest[0])) return;
  Warnings warnings;
  warnings.add({file}, fmt::format("links of {} would have to carry {:.0f}% of what they can: {}; "
                                   "--network-model=link tells how long",
                                   busiest[0].dimension, busiest[0].utilization * 100, what_overload_means));
  print_warnings(warnings);
}

// A file per rank, as ASTRA-sim 2 does.
void write_local_memory(const TraceRun& run) {
  const Recording& recording = run.result.recording;
  Warnings warnings;
  for (const RankId rank : first_ids<RankId>(run.traces().ranks())) {
    for (const std::string& text : repeated_writes(run.traces(), recording, rank))
      warnings.add({run.result.program.file_of(rank)}, text);
    write_file_atomically(local_memory_file(run, rank), local_memory_json(run.traces(), recording, rank));
  }
  print_warnings(warnings);
}

}  // namespace

void TraceFlags::add_to(CLI::App& command) {
  auto add = [&](const char* name, std::string& target, const char* description) {
    CLI::Option* option = command.add_option(name, target, description);
    option->group("ASTRA-sim 2");
    options_.push_back(option);
  };
  add("--remote-memory-configuration", memory, "Remote-memory file (JSON)");
  add("--comm-group-configuration", groups, "Communicator groups (JSON); empty: none");
  options_.push_back(
      command
          .add_flag("--real-collectives", real_collectives,
                    "Also run broadcast, reduce, gather, scatter, barrier and reduce-scatter-block")
          ->group("ASTRA-sim 2"));
  add("--logical-topology-configuration", logical_topology,
      "Sizes of the dimensions of a network that is a graph (JSON), as with the ns-3 back end");
  add("--collective-library", library,
      "Library whose closed forms carry out collectives, such as nccl, in place of the system file's "
      "algorithms");
  add("--order", order,
      "Which nodes wait for which: dependencies (default), or recorded: besides, each for the one before it "
      "in "
      "its stream");
  routes.add_to(command, "ASTRA-sim 2");
  add("--packets", packets, packets_flag_meaning);
  for (std::size_t i = 0; i < network_option_kinds.size(); ++i)
    if (const NetworkOptionKind& kind = *network_option_kinds[i]; !kind.flag_of_traces.empty())
      add(flag_of(kind).c_str(), network_options[i], std::string(kind.flag_of_traces).c_str());
  add("--logging-configuration", logging, "Accepted, without effect");
  add("--logging-folder", logging_folder, "Accepted, without effect");
}

bool TraceFlags::any_given() const {
  return routes.any_given() || std::any_of(options_.begin(), options_.end(),
                                           [](const CLI::Option* option) { return option->count() > 0; });
}

bool names_traces(const Astra1Flags& flags, const TraceFlags& trace_flags, const FileLoader& load) {
  if (trace_flags.any_given()) return true;
  if (flags.system.empty()) return false;
  const std::string text = load(flags.system);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

ExitCode run_traces(const Astra1Flags& flags, const TraceFlags& trace_flags,
                    const ExperimentOptions& options) {
  const bool to_files = flags.given("--path");
  const std::string& path = flags.results.path;
  if (to_files) require_folder_of(path, {"--path"});
  const InputLog inputs;
  Warnings warnings;
  TraceRun run = read_and_warn(flags, trace_flags, options, inputs, warnings);
  if (to_files || run.rules().track_local_memory) keep_inputs_of_traces(run, path, inputs);
  simulate_traces(run, warnings);
  if (to_files) with_progress(run.spec.name, "hashing traces", [&] { note_traces(run, inputs); });
  if (to_files || options.json) {
    const Summary summary = run.spec.workload->summary(run.spec, run.result);
    const std::string json = trace_json(run.traces(), run.rules(), summary, run.result.recording,
                                        {options.command, {}, inputs.files(), {}, warnings.lines()}) +
                             "\n";
    if (to_files) write_results(run, summary, json, path);
    if (options.json) print_json(json);
  }
  warn_of_overloaded_links(run, flags.network);
  if (run.rules().track_local_memory) write_local_memory(run);
  std::string explanation;
  if (options.explain)
    explanation = "explanation: " + run.result.recording.simulated + "\n" +
                  explanation_of(run, to_files ? std::optional(path) : std::nullopt).text;
  if (!options.json) print(astra2_lines(run.traces(), run.rules(), run.result.recording) + explanation);
  return success;
}

RunExplanations explain_traces(const Astra1Flags& flags, const TraceFlags& trace_flags,
                               const NetworkModelFlag& model) {
  require_folder_of(flags.results.path, {"--path"});
  Warnings warnings;
  const InputLog inputs(InputLog::Holds::paths);
  ExperimentOptions options;
  options.network_model = model;
  TraceRun run = read_and_warn(flags, trace_flags, options, inputs, warnings);
  run.spec.timelines.clear();
  keep_inputs_of_traces(run, flags.results.path, inputs);
  simulate_traces(run, warnings);
  const FolderLock lock(folder_of(flags.results.path), FolderLock::WhenTaken::wait);
  return explanation_of(run, flags.results.path);
}

ExitCode validate_traces(const Astra1Flags& flags, const TraceFlags& trace_flags,
                         const NetworkModelFlag& model) {
  constexpr std::size_t max_faults = 20;
  Warnings warnings;
  Faults found;
  ExperimentOptions options;
  options.network_model = model;
  const TraceRun run = read_and_warn(flags, trace_flags, options, InputLog(InputLog::Holds::paths), warnings,
                                     [&](const InputError& error) { found.add(error); });
  const std::size_t printed = warnings.lines().size();
  with_progress(run.spec.name, "checking traces",
                [&] { find_faults(run.result.program, run.result.machine, found, warnings); });
  print_warnings(warnings, printed);
  const std::vector<std::string>& faults = found.texts();
  for (std::size_t i = 0; i < std::min(faults.size(), max_faults); ++i)
    std::cerr << printable_lines(faults[i]) << '\n';
  if (faults.size() > max_faults) std::cerr << "and " << faults.size() - max_faults << " more errors\n";
  if (!faults.empty()) return bad_input;
  print(fmt::format("{}: ok, traces of {} ranks\n", flags.workload, run.traces().ranks()));
  return success;
}

}  // namespace orrery::core
