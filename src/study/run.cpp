#include "study/run.hpp"

#include "collective/library/network_library.hpp"
#include "network/packet/packet_keys.hpp"
#include "study/yaml_routes.hpp"
#include "topology/channels/group_channels.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery {

namespace {

// A network may be for several runs, of which only those on channels use what its switches add up.
void warn_of_reduction(const RunSpec& spec, Warnings& warnings) {
  const SystemConfig& system = *spec.system;
  if (system.channels || !spec.topology->graph) return;
  if (spec.topology->graph.product()) return;  // in which no switch reduces
  const NetworkGraph& graph = *spec.topology->graph;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    if (graph.node(node).reduces)
      return warnings.add(system.where,
                          "the network's switches reduce, but only collectives on `channels` know that: "
                          "write `channels: true`, or leave the network's `reduction` out");
}

void warn_of_dimensions_left_out(const SystemConfig& system, std::size_t dimensions, Warnings& warnings) {
  for (int k = 0; k < collective_kinds; ++k) {
    const auto kind = static_cast<CollectiveKind>(k);
    if (!is_symmetric(kind)) continue;  // only experiment files ask for it, which name its algorithms
    const auto& choices = system.algorithms_of(kind);
    const bool spans_all = !choices.empty() && (choices.back().whole_machine || choices.back().joins_rest);
    if (choices.size() >= dimensions || spans_all) continue;
    warnings.add(system.where_of(kind), std::string(name_of(kind)) + " names algorithms for " +
                                            std::to_string(choices.size()) + " of " +
                                            std::to_string(dimensions) +
                                            " dimensions, its collectives leave the others out");
  }
}

// What is wrong with a collective is shown at the system. Where the file has none, its workload asks for it.
void locate_system(RunResult& result) {
  const SourceLocation& asked = result.program.where;
  SourceLocation& system = result.machine.system.where;
  if (system.line == 0 && asked.line > 0 && system.file == asked.file) system = asked;
}

}  // namespace

Machine machine_of(const RunSpec& spec, Warnings& warnings) {
  if (spec.system->library.empty()) require_model_of(*spec.topology, spec.network_model);
  if (spec.network_model->check) spec.network_model->check(*spec.topology, spec.dialect);
  if (spec.packets && spec.topology->graph) check_packet_keys(*spec.topology, *spec.packets);
  require_all_heeded(spec);
  const SystemConfig& system = *spec.system;
  if (system.channels && !spec.topology->graph)
    throw InputError(system.channels_where,
                     "channels are found in a network that is a graph, and this one is dimensions; give it "
                     "`build` or `nodes`, or leave `channels` out");
  warn_of_reduction(spec, warnings);
  if (system.channels) warn_of_missing_rings(*spec.topology->graph, system.channels_where, warnings);
  if (system.library.empty()) warn_of_dimensions_left_out(system, spec.topology->dimensions.size(), warnings);
  Machine machine{*spec.topology,        system,          spec.dialect,
                  spec.compute_slowdown, spec.slow_links, spec.network_model};
  machine.background = spec.background;
  machine.packets = spec.packets;
  machine.link_history = spec.link_history;
  machine.message_times = spec.message_times;
  machine.host_stack = spec.host_stack;
  if (system.library.empty()) return machine;
  machine.library = std::make_shared<const CollectiveLibrary>(
      library_on(*spec.topology, system.library, system.library_where));
  return machine;
}

RunResult prepare_run(const RunSpec& spec, Warnings& warnings, bool fold) {
  RunResult result;
  result.fold = fold;
  spec.workload->prepare(spec, result, warnings);
  locate_system(result);
  result.machine.every_class = spec.every_class;
  result.plan = plan_simulation(result.program, result.machine, fold);
  return result;
}

RunResult carry_out(const RunSpec& spec, Warnings& warnings, bool fold, const ProgressListener& progress) {
  RunResult result = prepare_run(spec, warnings, fold);
  result.recording = simulate(result.program, result.machine, result.plan, progress);
  spec.workload->conclude(spec, result);
  return result;
}

}  // namespace orrery
