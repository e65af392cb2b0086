#include "study/workloads/traces/trace_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "report/memory/memory_history.hpp"
#include "study/astra2/custom_files.hpp"
#include "study/run/run.hpp"

namespace orrery::core {

namespace {

void check_system(const SystemConfig& system) {
  if (system.dimension_order != DimensionOrder::ascending || system.queue_order != QueueOrder::fifo)
    throw InputError(
        system.where,
        "ranks of execution traces plan their own collectives, whose chunks visit the dimensions "
        "in ascending order, first in, first out: leave other orders out");
  for (int k = 0; k < collective_kinds; ++k) {
    const auto kind = static_cast<CollectiveKind>(k);
    for (const AlgorithmChoice& choice : system.algorithms_of(kind)) {
      if (choice.written)
        throw InputError(
            system.where_of(kind),
            "algorithms from files for MSCCL run in no execution trace; use another algorithm, or "
            "one that is traces (`workload.algorithms`)");
      if (choice.joins_rest)
        throw InputError(system.where_of(kind),
                         "collectives of execution traces span one dimension or the whole machine; leave "
                         "`span: rest` out");
    }
  }
}

// ASTRA-sim 2 runs no collective with a root unless its system file names an algorithm for it.
void leave_out_rooted(SystemConfig& config) {
  for (int k = 0; k < collective_kinds; ++k) {
    const auto index = static_cast<std::size_t>(k);
    if (!is_symmetric(static_cast<CollectiveKind>(k)) && config.algorithms_where[index].file.empty())
      config.algorithms[index].clear();
  }
}

}  // namespace

std::size_t TraceWorkload::size() const {
  const chakra::TraceGraph* last = nullptr;
  std::size_t nodes = 0;
  for (const RankTrace& trace : settings_.traces) {
    if (trace.graph.get() != last) nodes += trace.graph->nodes.size();
    last = trace.graph.get();
  }
  return nodes;
}

// Runs of traces have no barrier in which all ranks of the machine wait for one another.
bool TraceWorkload::runs_by(const Dialect& dialect) const {
  return dialect.phase_barrier == PhaseBarrier::next_group;
}

void TraceWorkload::check_ranks(int npus) const {
  const std::vector<RankTrace>& traces = settings_.traces;
  const auto count = static_cast<int>(traces.size());
  if (count == npus || count == 1) return;
  throw InputError(
      settings_.where,
      fmt::format("there are traces of {} NPUs, up to {}, but the network has {} NPUs; make them "
                  "equal, or give all NPUs one trace",
                  count, traces.back().file, npus));
}

void TraceWorkload::complete(Machine& machine) const {
  if (settings_.memory_gb_per_s) machine.system.memory_gb_per_s = *settings_.memory_gb_per_s;
  if (machine.dialect.only_traces) leave_out_rooted(machine.system);
  machine.memory = settings_.memory;
}

TraceRules TraceWorkload::rules_for(const RunSpec& spec, Machine& machine, Warnings& warnings) const {
  TraceRules rules = settings_.rules;
  rules.compute_scale = spec.compute_scale;
  rules.communication_scale = spec.comm_scale;
  if (!settings_.groups.empty())
    rules.groups =
        read_groups_json(settings_.groups, settings_.groups_file, machine.topology.npus(), warnings);
  read_custom_algorithms(settings_.algorithms, settings_.load, machine, rules);
  return rules;
}

void TraceWorkload::read_traces(const Machine& machine, Warnings& warnings,
                                const std::function<void(const RankTrace&)>& add) const {
  if (settings_.read) return settings_.read(machine, warnings, add);
  for (int npu = 0; npu < machine.topology.npus(); ++npu) {
    const RankTrace& trace =
        settings_.traces[settings_.traces.size() == 1 ? 0 : static_cast<std::size_t>(npu)];
    require_memory_for(machine, trace.graph->nodes.size(), {trace.file});
    add(trace);
  }
}

void TraceWorkload::prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const {
  if (!settings_.read) check_ranks(spec.topology->npus());
  check_system(*spec.system);
  result.machine = machine_of(spec, warnings);
  const TraceRules rules = rules_for(spec, result.machine, warnings);
  const TraceHost host{result.machine.topology, result.machine.system, result.machine.memory};
  TraceProgramBuilder builder(host, rules, fault_);
  read_traces(result.machine, warnings, [&](const RankTrace& trace) { builder.add(trace); });
  TraceProgram made = builder.take();
  result.program = std::move(made.program);
  result.program.where = settings_.where;
  if (!rules.track_local_memory && !settings_.keeps_facts) return;
  auto detail = std::make_shared<TraceDetail>();
  detail->rules = rules;
  detail->facts = std::move(made.facts);
  detail->part_of = std::move(made.part_of);
  result.detail = std::move(detail);
}

Summary TraceWorkload::summary(const RunSpec& spec, const RunResult& result) const {
  Summary summary = Workload::summary(spec, result);
  summary.work = result.program.file_of(RankId(0));
  return summary;
}

std::vector<PartMemory> TraceWorkload::memory_history(const RunResult& result) const {
  if (!result.detail || !trace_detail(result).rules.track_local_memory) return {};
  return memory_of_traces(traces_of(result), result.recording);
}

void require_memory_for(const Machine& machine, std::size_t nodes_of_rank, const SourceLocation& where) {
  constexpr double max_bytes = 16.0 * (1 << 30);
  const double npus = machine.topology.npus();
  const double queues =
      static_cast<double>(machine.topology.dimensions.size()) * machine.system.queues_per_dimension;
  if (npus * (static_cast<double>(nodes_of_rank) * 20 + queues * 700 + 1000) <= max_bytes) return;
  throw InputError(where, fmt::format("{} NPUs with {} nodes and {} queues each need more than 16 GiB of "
                                      "memory, simulate fewer",
                                      npus, nodes_of_rank, queues));
}

const TraceDetail& trace_detail(const RunResult& result) {
  return static_cast<const TraceDetail&>(*result.detail);
}

TraceView traces_of(const RunResult& result) {
  const TraceDetail& detail = trace_detail(result);
  return {result.program, detail.facts, detail.part_of};
}

}  // namespace orrery::core
