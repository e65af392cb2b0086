#include "study/run.hpp"

#include <set>
#include <tuple>

#include "collective/planner.hpp"
#include "network/analytical/analytical_network.hpp"
#include "workload/astra1/training_loops.hpp"

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

// Plans each collective once, as the simulation will, to find algorithms that cannot run theirs.
void check_collectives(const ExecutionGraph& graph, const Machine& machine) {
  const AnalyticalNetwork network(machine.topology, machine.dialect);
  Planner planner(machine.system, machine.dialect, machine.topology, machine.dimensions, network);
  std::set<std::tuple<CollectiveKind, Bytes, unsigned long>> planned;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
    const CollectiveRequest& request = graph[id].collective;
    if (graph[id].kind != OperationKind::collective) continue;
    if (planned.insert({request.kind, request.size, request.dimensions.to_ulong()}).second)
      planner.plan(request);
  }
}

}  // namespace

RunResult prepare_run(const RunSpec& spec, Warnings& warnings) {
  warn_of_dimensions_left_out(spec.system, spec.topology.dimensions.size(), warnings);
  const GroupLayout layout = lay_out_group(*spec.workload, spec.topology, spec.dialect, warnings);
  RunResult result;
  result.machine = {
      spec.topology,
      layout.split ? logical_dimensions(spec.topology, *layout.split) : logical_dimensions(spec.topology),
      spec.system, spec.dialect};
  if (result.machine.dimensions.size() > static_cast<std::size_t>(max_dimensions)) {
    throw InputError(spec.workload->where_of_group(),
                     "splitting a dimension for the model-parallel group makes more than " +
                         std::to_string(max_dimensions) + " dimensions, choose another group size");
  }
  result.graph = training_graph(*spec.workload, layout, spec.passes, spec.dialect,
                                {spec.compute_scale, spec.comm_scale});
  check_size(result.graph, result.machine);
  check_collectives(result.graph, result.machine);
  return result;
}

RunResult carry_out(const RunSpec& spec, Warnings& warnings, const ProgressListener& progress) {
  RunResult result = prepare_run(spec, warnings);
  result.recording = simulate(result.graph, result.machine, progress);
  return result;
}

}  // namespace orrery
