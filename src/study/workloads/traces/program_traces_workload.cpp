#include "study/workloads/traces/program_traces_workload.hpp"

#include <fmt/format.h>

#include "study/run/run.hpp"
#include "workload/astra1/scaling.hpp"
#include "workload/training/training_communicators.hpp"

namespace orrery::core {

namespace {

ExecutionGraph scaled_graph(const ExecutionGraph& graph, const RunSpec& spec) {
  ExecutionGraph out;
  out.layer_names = graph.layer_names;
  out.work_names = graph.work_names;
  out.waits_within = graph.waits_within;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
    Operation operation = graph[id];
    if (operation.kind == OperationKind::compute)
      operation.duration = scaled(operation.duration, spec.compute_scale, spec.dialect);
    if (operation.kind == OperationKind::collective)
      operation.collective.size = scaled(operation.collective.size, spec.comm_scale, spec.dialect);
    out.add(operation, graph.predecessors(id));
  }
  return out;
}

}  // namespace

std::size_t ProgramTracesWorkload::size() const {
  std::size_t operations = 0;
  for (const ProgramPart& part : recorded_.program.parts) operations += part.graph.size();
  return operations;
}

void ProgramTracesWorkload::prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const {
  if (recorded_.ranks != static_cast<std::uint32_t>(spec.topology->npus()))
    throw InputError(recorded_.program.where,
                     fmt::format("the traces are of {} NPUs, and the network has {}; make them equal",
                                 recorded_.ranks, spec.topology->npus()));
  result.machine = machine_of(spec, warnings);
  result.program = recorded_.program;
  result.program.communicators =
      on_network(recorded_.program.communicators, *spec.topology, recorded_.program.where);
  if (spec.compute_scale == 1 && spec.comm_scale == 1) return;
  for (ProgramPart& part : result.program.parts) part.graph = scaled_graph(part.graph, spec);
}

}  // namespace orrery::core
