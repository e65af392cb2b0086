#include "study/astra2/trace_run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "base/files/file.hpp"
#include "study/astra2/ns3_network.hpp"
#include "study/astra2/process_groups.hpp"
#include "study/astra2/system_json.hpp"
#include "study/astra2/trace_files.hpp"
#include "study/astra2/trace_loader.hpp"
#include "study/run/run_pool.hpp"
#include "study/workloads/traces/trace_workload.hpp"
#include "workload/chakra/check/trace_doubts.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

using AddTrace = std::function<void(const RankTrace&)>;

// Reads one file whose nodes all ranks run.
void read_shared_trace(const std::string& path, const Machine& machine, const TraceRules& rules,
                       const AddTrace& add, Warnings& warnings, const StepListener& told) {
  DoubtfulTraces doubtful;
  load_traces(
      {path}, 1,
      [&](std::size_t, const SharedTraceGraph& graph) {
        doubtful.add(path, graph->doubts);
        require_memory_for(machine, graph->nodes.size(), {path});
        const RankTrace trace{graph, path, process_groups_of(*graph, path, warnings)};
        for (int npu = 0; npu < machine.topology.npus(); ++npu) add(trace);
      },
      told, reading_for(rules));
  doubtful.warn(rules, warnings);
}

void read_traces(const std::string& prefix, const Machine& machine, const TraceRules& rules,
                 const AddTrace& add, Warnings& warnings, const StepListener& told) {
  const int npus = machine.topology.npus();
  const auto of_npu = [&](int npu) { return fmt::format("{}.{}.et", prefix, npu); };
  if (!file_exists(of_npu(0))) {
    for (const std::string& shared : {prefix, prefix + ".et"}) {
      std::error_code unknown;
      if (fs::is_regular_file(shared, unknown))
        return read_shared_trace(shared, machine, rules, add, warnings, told);
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
        add({graph, paths[rank], process_groups_of(*graph, paths[rank], warnings)});
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
void settle_dimensions(const Topology& topology, bool are_written, SystemConfig& config) {
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
}

void run_all_collectives(SystemConfig& config, TraceRules& rules) {
  rules.reduce_scatter_block = true;
  for (const auto& [word, kind] : collective_kind_words)
    if (!is_symmetric(kind) && !config.runs(kind)) {
      config.algorithms[static_cast<std::size_t>(kind)] = {{&tree_algorithm}};
      config.algorithms_where[static_cast<std::size_t>(kind)] = {"--real-collectives"};
    }
}

}  // namespace

RunSpec read_trace_run(const TraceFiles& files, const FileLoader& load, Warnings& warnings,
                       const TraceProgramBuilder::Fault& fault, const StepListener& told) {
  RunSpec run;
  run.name = "traces";
  run.dialect = astra_sim_2_dialect;
  NetworkOfFlags network = read_network_of_flags(files.network, files.logical_topology, warnings, load);
  run.topology = std::move(network.topology);
  run.network.model =
      files.model.value_or(network.packets && files.library.empty()
                               ? &packet_model
                               : usual_model(*run.topology, run.dialect, !files.library.empty()));
  if (files.model) run.network_model_where = {"--network-model"};
  if (run.network.model == &packet_model)
    run.network.packets = std::move(network.packets);
  else if (network.packets)
    warnings.add({files.network},
                 fmt::format("says how packets go, and with the network model `{}` there are none: "
                             "only its topology has an effect",
                             run.network.model->name));
  TraceSettings traces(load);
  SystemConfig& system = run.system.edit();
  traces.algorithms = read_system_json(load(files.system), files.system, files.injection_scale, system,
                                       traces.rules, warnings);
  traces.rules.order = files.order;
  if (files.library.empty()) settle_dimensions(*run.topology, !files.logical_topology.empty(), system);
  if (files.real_collectives) run_all_collectives(system, traces.rules);
  if (!files.library.empty()) {
    system.library = {files.library, {"--collective-library"}, load};
  }
  system.queues_per_dimension = files.queues_per_dimension;
  system.rendezvous = files.rendezvous;
  if (!files.memory.empty()) traces.memory = read_memory_json(load(files.memory), files.memory, warnings);
  if (!files.groups.empty()) {
    traces.groups = load(files.groups);
    traces.groups_file = files.groups;
  }
  traces.keeps_facts = true;
  traces.where = {files.traces};
  traces.read = [prefix = files.traces, rules = traces.rules, told](const Machine& machine, Warnings& found,
                                                                    const AddTrace& add) {
    read_traces(prefix, machine, rules, add, found, told);
  };
  run.workload = std::make_shared<const TraceWorkload>(std::move(traces), fault);
  return run;
}

}  // namespace orrery::core
