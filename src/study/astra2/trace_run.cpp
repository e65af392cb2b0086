#include "study/astra2/trace_run.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/file.hpp"
#include "collective/dimensions_left_out.hpp"
#include "collective/library/network_library.hpp"
#include "study/astra2/custom_files.hpp"
#include "study/astra2/ns3_network.hpp"
#include "study/astra2/process_groups.hpp"
#include "study/astra2/system_json.hpp"
#include "study/astra2/trace_files.hpp"
#include "study/astra2/trace_loader.hpp"
#include "study/run_pool.hpp"
#include "workload/chakra/trace_doubts.hpp"

namespace orrery {

namespace {

namespace fs = std::filesystem;

// Reads one file whose nodes all ranks run.
void read_shared_trace(const std::string& path, const Machine& machine, const TraceRules& rules,
                       TraceProgramBuilder& program, Warnings& warnings, const StepListener& told) {
  DoubtfulTraces doubtful;
  load_traces(
      {path}, 1,
      [&](std::size_t, const SharedTraceGraph& graph) {
        doubtful.add(path, graph->doubts);
        require_memory_for(machine, graph->nodes.size(), {path});
        const RankTrace trace{graph, path, process_groups_of(*graph, path, warnings)};
        for (int npu = 0; npu < machine.topology.npus(); ++npu) program.add(trace);
      },
      told, reading_for(rules));
  doubtful.warn(rules, warnings);
}

void read_traces(const std::string& prefix, const Machine& machine, const TraceRules& rules,
                 TraceProgramBuilder& program, Warnings& warnings, const StepListener& told) {
  const int npus = machine.topology.npus();
  const auto of_npu = [&](int npu) { return fmt::format("{}.{}.et", prefix, npu); };
  if (!file_exists(of_npu(0))) {
    for (const std::string& shared : {prefix, prefix + ".et"}) {
      std::error_code unknown;
      if (fs::is_regular_file(shared, unknown))
        return read_shared_trace(shared, machine, rules, program, warnings, told);
    }
  }
  std::vector<std::string> paths;
  while (static_cast<int>(paths.size()) < npus && file_exists(of_npu(static_cast<int>(paths.size()))))
    paths.push_back(of_npu(static_cast<int>(paths.size())));
  DoubtfulTraces doubtful;
  load_traces(
      paths, default_threads(),
      [&](std::size_t rank, const SharedTraceGraph& graph) {
        doubtful.add(paths[rank], graph->doubts);
        require_memory_for(machine, graph->nodes.size(), {paths[rank]});
        program.add({graph, paths[rank], process_groups_of(*graph, paths[rank], warnings)});
      },
      told, reading_for(rules));
  doubtful.warn(rules, warnings);
  if (paths.empty())
    if (const std::string json = json_beside(prefix); !json.empty())
      throw InputError({"--workload-configuration"}, json);
  if (static_cast<int>(paths.size()) < npus) {
    throw InputError({of_npu(static_cast<int>(paths.size()))},
                     fmt::format("there is no such trace; the network has {} NPUs, each of which needs one, "
                                 "or all of them one file {}.et",
                                 npus, prefix));
  }
  if (file_exists(of_npu(npus)))
    warnings.add({of_npu(npus)}, fmt::format("this trace is not read, as the network has {} NPUs", npus));
}

// ASTRA-sim 2 runs a collective in those dimensions that have a word. A graph may have dimensions that the
// user never wrote, so that one word means the graph as a whole.
void settle_dimensions(const Topology& topology, bool are_written, StreamConfig& config, Warnings& warnings) {
  const std::size_t dimensions = topology.dimensions.size();
  for (int k = 0; topology.graph && !are_written && k < collective_kinds; ++k) {
    const auto kind = static_cast<CollectiveKind>(k);
    std::vector<AlgorithmChoice>& choices = config.algorithms[static_cast<std::size_t>(k)];
    if (!is_symmetric(kind) || choices.empty() || choices.size() == dimensions ||
        choices.back().whole_machine)
      continue;
    if (choices.size() > 1)
      throw InputError(
          config.where_of(kind),
          fmt::format("{} names {} algorithms, and the graph has {}: name one for each, or one for all "
                      "NPUs together, or give the graph's dimensions with "
                      "--logical-topology-configuration",
                      name_of(kind), choices.size(),
                      dimensions == 1 ? "1 dimension" : fmt::format("{} dimensions", dimensions)));
    choices[0].whole_machine = true;
  }
  warn_of_dimensions_left_out(config, dimensions, warnings);
}

void run_all_collectives(StreamConfig& config, TraceRules& rules) {
  rules.reduce_scatter_block = true;
  for (const auto& [word, kind] : collective_kind_words)
    if (!is_symmetric(kind) && !config.runs(kind))
      config.algorithms[static_cast<std::size_t>(kind)] = {{&tree_algorithm}};
}

}  // namespace

void require_memory_for(const Machine& machine, std::size_t nodes_of_rank, const SourceLocation& where) {
  constexpr double most_bytes = 16.0 * (1 << 30);
  const double npus = machine.topology.npus();
  const double queues =
      static_cast<double>(machine.topology.dimensions.size()) * machine.streams.queues_per_dimension;
  if (npus * (static_cast<double>(nodes_of_rank) * 20 + queues * 700 + 1000) <= most_bytes) return;
  throw InputError(where, fmt::format("{} NPUs with {} nodes and {} queues each need more than 16 GiB of "
                                      "memory, simulate fewer",
                                      npus, nodes_of_rank, queues));
}

TraceRun read_trace_run(const TraceFiles& files, Warnings& warnings, const TraceProgramBuilder::Fault& fault,
                        const StepListener& told) {
  TraceRun run;
  Machine& machine = run.machine;
  machine.dialect = astra_sim_2_dialect;
  NetworkOfFlags network = read_network_of_flags(files.network, files.logical_topology, warnings);
  machine.topology = std::move(network.topology);
  machine.network.model =
      files.model.value_or(network.packets && files.library.empty()
                               ? &packet_model
                               : usual_model(machine.topology, machine.dialect, !files.library.empty()));
  if (machine.network.model == &packet_model)
    machine.network.packets = std::move(network.packets);
  else if (network.packets)
    warnings.add({files.network},
                 fmt::format("says how packets go, and with the network model `{}` there are none: "
                             "only its topology has an effect",
                             machine.network.model->name));
  with_place({files.model ? "--network-model" : ""}, [&] {
    if (files.library.empty()) require_model_of(machine.topology, machine.network.model);
    if (machine.network.model->check) machine.network.model->check(machine.topology, machine.dialect);
  });
  const SystemFileNames names = read_system_json(read_text_file(files.system), files.system,
                                                 files.injection_scale, machine.streams, run.rules, warnings);
  run.rules.order = files.order;
  if (files.library.empty())
    settle_dimensions(machine.topology, !files.logical_topology.empty(), machine.streams, warnings);
  if (files.real_collectives) run_all_collectives(machine.streams, run.rules);
  if (!files.library.empty()) {
    const SourceLocation flag{"--collective-library"};
    machine.library =
        std::make_shared<const CollectiveLibrary>(library_on(machine.topology, files.library, flag));
  }
  read_custom_algorithms(names, machine, run.rules);
  machine.streams.queues_per_dimension = files.queues_per_dimension;
  machine.streams.rendezvous = files.rendezvous;
  if (!files.memory.empty())
    machine.memory = read_memory_json(read_text_file(files.memory), files.memory, warnings);
  if (!files.groups.empty()) {
    run.rules.groups =
        read_groups_json(read_text_file(files.groups), files.groups, machine.topology.npus(), warnings);
  }
  const TraceHost host{machine.topology, machine.streams, machine.memory};
  TraceProgramBuilder program(host, run.rules, fault);
  read_traces(files.traces, machine, run.rules, program, warnings, told);
  run.traces = program.take();
  return run;
}

}  // namespace orrery
