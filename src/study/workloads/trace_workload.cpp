#include "study/workloads/trace_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "report/memory_history.hpp"
#include "study/astra2/custom_files.hpp"
#include "study/astra2/trace_run.hpp"
#include "study/run.hpp"

namespace orrery {

namespace {

// The traces' facts about the run's program, for its memory history.
struct TraceDetail final : RunDetail {
  TraceDetail(std::vector<TraceFacts> by_part, std::vector<std::uint32_t> parts)
      : facts(std::move(by_part)), part_of(std::move(parts)) {}

  std::vector<TraceFacts> facts;       // by part
  std::vector<std::uint32_t> part_of;  // by rank
};

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
void leave_out_rooted(CollectiveConfig& config) {
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

void TraceWorkload::describe_machine(const RunSpec& spec, Machine& machine) const {
  StreamConfig& config = machine.streams;
  static_cast<CollectiveConfig&>(config) = *spec.system;
  config.splits = spec.system->chunks;
  config.memory_gb_per_s = settings_.memory_gb_per_s;
  if (spec.dialect.only_traces) leave_out_rooted(config);
  machine.memory = settings_.memory;
}

TraceRules TraceWorkload::rules_for(const RunSpec& spec, Machine& machine, Warnings& warnings) const {
  TraceRules rules = settings_.rules;
  rules.compute_scale = spec.compute_scale;
  rules.communication_scale = spec.comm_scale;
  if (!settings_.groups.empty())
    rules.groups =
        read_groups_json(settings_.groups, settings_.groups_file, machine.topology.npus(), warnings);
  read_custom_algorithms(settings_.algorithms, machine, rules);
  return rules;
}

void TraceWorkload::prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const {
  check_ranks(spec.topology->npus());
  check_system(*spec.system);
  result.machine = machine_of(spec, warnings);
  describe_machine(spec, result.machine);
  const TraceRules rules = rules_for(spec, result.machine, warnings);
  const TraceHost host{result.machine.topology, result.machine.streams, result.machine.memory};
  TraceProgramBuilder builder(host, rules);
  for (int npu = 0; npu < spec.topology->npus(); ++npu) {
    const RankTrace& trace =
        settings_.traces[settings_.traces.size() == 1 ? 0 : static_cast<std::size_t>(npu)];
    require_memory_for(result.machine, trace.graph->nodes.size(), {trace.file});
    builder.add(trace);
  }
  TraceProgram made = builder.take();
  result.program = std::move(made.program);
  result.program.where = settings_.where;
  if (rules.track_local_memory)
    result.detail = std::make_shared<TraceDetail>(std::move(made.facts), std::move(made.part_of));
}

std::vector<PartMemory> TraceWorkload::memory_history(const RunResult& result) const {
  if (!result.detail) return {};
  const auto& detail = static_cast<const TraceDetail&>(*result.detail);
  return memory_of_traces({result.program, detail.facts, detail.part_of}, result.recording);
}

}  // namespace orrery
