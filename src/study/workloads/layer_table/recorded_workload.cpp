#include "study/workloads/layer_table/recorded_workload.hpp"

#include <fmt/format.h>

#include "study/run/run.hpp"
#include "study/workloads/whole_machine.hpp"
#include "workload/astra1/scaling.hpp"

namespace orrery::core {

namespace {

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

Program recorded_program(const chakra::RecordedGraph& recorded, const RunSpec& spec, RunResult& result) {
  check_fits(recorded, spec);
  result.split = recorded.split;
  if (spec.compute_scale == 1 && spec.comm_scale == 1)
    return whole_machine_program(recorded.graph, *spec.topology, recorded.split);
  ExecutionGraph graph;
  graph.layer_names = recorded.graph.layer_names;
  graph.waits_within = recorded.graph.waits_within;
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

}  // namespace

void RecordedWorkload::prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const {
  result.machine = machine_of(spec, warnings);
  result.program = recorded_program(recorded_, spec, result);
}

}  // namespace orrery::core
