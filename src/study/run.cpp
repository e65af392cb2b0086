#include "study/run.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "collective/library/network_library.hpp"
#include "network/link/link_transport.hpp"
#include "workload/astra1/scaling.hpp"
#include "workload/astra1/training_loops.hpp"
#include "workload/astra1/unused_collectives.hpp"
#include "workload/generate/gradient_buckets.hpp"
#include "workload/generate/host_time.hpp"
#include "workload/parameter_server/parameter_server_program.hpp"
#include "workload/pipeline/pipeline_program.hpp"
#include "workload/training/own_network.hpp"
#include "workload/training/training_communicators.hpp"
#include "workload/training/training_memory.hpp"
#include "workload/training/training_program.hpp"

namespace orrery {

namespace {

void warn_of_dimensions_left_out(const SystemConfig& system, std::size_t dimensions, Warnings& warnings) {
  for (int k = 0; k < collective_kinds; ++k) {
    const auto kind = static_cast<CollectiveKind>(k);
    const auto& choices = system.algorithms_of(kind);
    const bool whole_machine = !choices.empty() && choices.back().whole_machine;
    if (choices.size() >= dimensions || whole_machine) continue;
    warnings.add(system.where_of(kind), std::string(name_of(kind)) + " names algorithms for " +
                                            std::to_string(choices.size()) + " of " +
                                            std::to_string(dimensions) +
                                            " dimensions, its collectives leave the others out");
  }
}

Machine machine_of(const RunSpec& spec, Warnings& warnings) {
  Machine machine{*spec.topology,        *spec.system,    spec.dialect,
                  spec.compute_slowdown, spec.slow_links, spec.network_model};
  const SystemConfig& system = *spec.system;
  if (system.library.empty()) return machine;
  machine.library = std::make_shared<const CollectiveLibrary>(
      library_on(*spec.topology, system.library, system.library_where));
  for (const LinkNote& note : machine.library->notes()) warnings.add(note.where, note.text);
  return machine;
}

void check_network(const RunSpec& spec, Warnings& warnings) {
  if (spec.network_model == NetworkModel::link) check_number_of_links(*spec.topology, spec.dialect);
  if (spec.system->library.empty())
    warn_of_dimensions_left_out(*spec.system, spec.topology->dimensions.size(), warnings);
}

// All ranks run the graph, on the dimensions that it was made for.
Program whole_machine_program(ExecutionGraph graph, const Topology& topology,
                              const std::optional<DimensionSplit>& split) {
  return program_of_equal_ranks(std::move(graph),
                                split ? logical_dimensions(topology, *split) : logical_dimensions(topology),
                                static_cast<std::uint32_t>(topology.npus()));
}

Program layer_table_program(const RunSpec& spec, const LayerTable& table, RunResult& result,
                            Warnings& warnings) {
  const GroupLayout layout = lay_out_group(table, *spec.topology, spec.dialect, warnings);
  result.split = layout.split;
  if (spec.topology->dimensions.size() + (layout.split ? 1 : 0) > static_cast<std::size_t>(max_dimensions)) {
    throw InputError(table.where_of_group(),
                     "splitting a dimension for the model-parallel group makes more than " +
                         std::to_string(max_dimensions) + " dimensions, choose another group size");
  }
  ExecutionGraph graph =
      training_graph(table, layout, spec.passes, spec.dialect, {spec.compute_scale, spec.comm_scale});
  if (spec.passes > 0 && spec.comm_scale > 0) warn_of_unused_collectives(table, graph, warnings);
  return whole_machine_program(std::move(graph), *spec.topology, layout.split);
}

// The workload as this machine trains it.
std::shared_ptr<const LayerTable> layers_of(const RunSpec& spec) {
  if (!spec.workload->host && !spec.workload->gradient_buckets) return spec.workload;
  return std::make_shared<const LayerTable>(
      in_buckets(with_host_time(*spec.workload, spec.topology->npus())));
}

void check_fits(const chakra::RecordedGraph& recorded, const RunSpec& spec) {
  const auto& dimensions = spec.topology->dimensions;
  const int extra = recorded.split ? 1 : 0;
  if (static_cast<int>(dimensions.size()) + extra != recorded.dimensions) {
    throw InputError({recorded.file}, fmt::format("was made for a network of {} dimensions, this one has {}",
                                                  recorded.dimensions - extra, dimensions.size()));
  }
  if (!recorded.split) return;
  const auto cut = static_cast<std::size_t>(recorded.split->physical);
  if (cut >= dimensions.size() || dimensions[cut].size % recorded.split->first != 0) {
    throw InputError({recorded.file}, fmt::format("cuts dimension {} after {} NPUs, which this network's "
                                                  "does not allow",
                                                  cut + 1, recorded.split->first));
  }
}

Program recorded_program(const RunSpec& spec, RunResult& result) {
  const chakra::RecordedGraph& recorded = *spec.recorded;
  check_fits(recorded, spec);
  result.split = recorded.split;
  if (spec.compute_scale == 1 && spec.comm_scale == 1)
    return whole_machine_program(recorded.graph, *spec.topology, recorded.split);
  ExecutionGraph graph;
  graph.layer_names = recorded.graph.layer_names;
  for (ExecutionGraph::Id id = 0; id < recorded.graph.size(); ++id) {
    Operation operation = recorded.graph[id];
    if (operation.kind == OperationKind::compute)
      operation.duration = scaled(operation.duration, spec.compute_scale, spec.dialect);
    if (operation.kind == OperationKind::collective)
      operation.collective.size = scaled(operation.collective.size, spec.comm_scale, spec.dialect);
    graph.add(operation, recorded.graph.predecessors(id));
  }
  return whole_machine_program(std::move(graph), *spec.topology, recorded.split);
}

Program program_of(const RunSpec& spec, RunResult& result, Warnings& warnings) {
  if (spec.recorded) return recorded_program(spec, result);
  const Scales scales{spec.compute_scale, spec.comm_scale};
  const std::shared_ptr<const LayerTable> table = layers_of(spec);
  if (table->pipeline) return pipeline_program(*table, *spec.topology, spec.passes, spec.dialect, scales);
  if (table->parameter_server)
    return parameter_server_program(*table, spec.topology->npus(), spec.passes, spec.dialect, scales);
  return layer_table_program(spec, *table, result, warnings);
}

// Collectives within a layer are nodes of their own where they are messages, and where ranks that compute at
// different speeds wait for one another in them.
PassDetail detail_of(const RunSpec& spec) {
  const bool by_library = !spec.has_network() || !spec.system->library.empty();
  return by_library && spec.compute_slowdown.empty() ? PassDetail::one_node : PassDetail::blocks;
}

RunResult prepare_training(const RunSpec& spec, Warnings& warnings, bool fold) {
  require_training_memory(*spec.training, spec.allow_out_of_memory, warnings);
  RunResult result;
  result.pass_detail = detail_of(spec);
  require_training_program_fits(*spec.training, result.pass_detail);
  result.setup = spec.has_network() ? std::make_shared<const TrainingSetup>(
                                          on_own_network(*spec.training, *spec.topology, *spec.system))
                                    : spec.training;
  result.stage_costs = std::make_shared<const StageCosts>(*result.setup);
  result.program = training_program(*result.setup, *result.stage_costs, result.pass_detail);
  if (spec.has_network()) {
    check_network(spec, warnings);
    result.machine = machine_of(spec, warnings);
    result.program.communicators =
        on_network(std::move(result.program.communicators), *spec.topology, spec.training->where);
  } else {
    result.machine = platform_machine(*result.setup);
  }
  result.plan = plan_simulation(result.program, result.machine, fold);
  return result;
}

}  // namespace

RunResult prepare_run(const RunSpec& spec, Warnings& warnings, bool fold) {
  if (spec.training) return prepare_training(spec, warnings, fold);
  if (spec.memory) require_memory(*spec.memory, spec.allow_out_of_memory, warnings);
  check_network(spec, warnings);
  RunResult result;
  result.machine = machine_of(spec, warnings);
  result.program = program_of(spec, result, warnings);
  result.plan = plan_simulation(result.program, result.machine, fold);
  return result;
}

RunResult carry_out(const RunSpec& spec, Warnings& warnings, bool fold, const ProgressListener& progress) {
  RunResult result = prepare_run(spec, warnings, fold);
  result.recording = simulate(result.program, result.machine, result.plan, progress);
  if (spec.training)
    result.training = training_result(*spec.training, *result.stage_costs, result.program, result.recording);
  return result;
}

}  // namespace orrery
