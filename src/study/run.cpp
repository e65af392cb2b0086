#include "study/run.hpp"

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

}  // namespace

RunResult prepare_run(const RunSpec& spec, Warnings& warnings, bool fold) {
  warn_of_dimensions_left_out(spec.system, spec.topology.dimensions.size(), warnings);
  const GroupLayout layout = lay_out_group(*spec.workload, spec.topology, spec.dialect, warnings);
  RunResult result;
  result.machine = {
      spec.topology,
      layout.split ? logical_dimensions(spec.topology, *layout.split) : logical_dimensions(spec.topology),
      spec.system,
      spec.dialect,
      spec.compute_slowdown,
      spec.slow_links,
      spec.network_model};
  if (result.machine.dimensions.size() > static_cast<std::size_t>(max_dimensions)) {
    throw InputError(spec.workload->where_of_group(),
                     "splitting a dimension for the model-parallel group makes more than " +
                         std::to_string(max_dimensions) + " dimensions, choose another group size");
  }
  result.graph = training_graph(*spec.workload, layout, spec.passes, spec.dialect,
                                {spec.compute_scale, spec.comm_scale});
  result.plan = plan_simulation(result.graph, result.machine, fold);
  return result;
}

RunResult carry_out(const RunSpec& spec, Warnings& warnings, bool fold, const ProgressListener& progress) {
  RunResult result = prepare_run(spec, warnings, fold);
  result.recording = simulate(result.graph, result.machine, result.plan, progress);
  return result;
}

}  // namespace orrery
