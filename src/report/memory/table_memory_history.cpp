#include "report/memory/table_memory_history.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

namespace orrery::core {

namespace {

// A layer's passes of one batch or micro-batch.
struct LayerPasses {
  std::optional<Time> forward_begins, backward_ends;
};
using AllPasses = std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, LayerPasses>;

// Passes by layer, iteration and micro-batch.
AllPasses layer_passes_of(const ProgramPart& part, const std::vector<Interval>& operations) {
  AllPasses passes;
  for (ExecutionGraph::Id id = 0; id < part.graph.size(); ++id) {
    const Operation& operation = part.graph[id];
    if (operation.kind != OperationKind::compute || operation.layer < 0) continue;
    LayerPasses& of = passes[{operation.layer, operation.iteration, operation.micro_batch}];
    const Interval& interval = operations[id];
    if (operation.pass == Pass::forward)
      of.forward_begins = std::min(of.forward_begins.value_or(interval.start), interval.start);
    else
      of.backward_ends = std::max(of.backward_ends.value_or(interval.end), interval.end);
  }
  return passes;
}

MemoryInterval interval_of(const DeviceMemory& device, Time start, std::int64_t activations) {
  MemoryInterval interval{start, start};
  interval[MemoryKind::weights] = device.parameters.weights;
  interval[MemoryKind::gradients] = device.parameters.gradients;
  interval[MemoryKind::optimizer] = device.parameters.optimizer + device.store;
  interval[MemoryKind::activations] = static_cast<double>(activations);
  interval[MemoryKind::workspace] = device.context + device.workspace;
  for (const std::optional<double>& kept : interval.kept) interval.total += kept.value_or(0);
  return interval;
}

}  // namespace

std::vector<PartMemory> memory_of_table(const TableMemory& memory, const Program& program,
                                        const Recording& recording) {
  std::vector<PartMemory> parts;
  for (std::size_t i = 0; i < program.parts.size(); ++i) {
    std::map<Time, std::int64_t> changes{{Time(), 0}};
    for (const auto& [key, passes] : layer_passes_of(program.parts[i], recording.lowest_of(i).operations)) {
      const auto bytes =
          static_cast<std::int64_t>(memory.activations[static_cast<std::size_t>(std::get<0>(key))].count());
      if (bytes == 0 || !passes.forward_begins) continue;
      if (!passes.backward_ends) return {};
      changes[*passes.forward_begins] += bytes;
      changes[*passes.backward_ends] -= bytes;
    }
    const std::string& name = program.parts[i].name;
    PartMemory& part = parts.emplace_back(PartMemory{name.empty() ? "all" : name, {}});
    std::int64_t activations = 0;
    for (const auto& [time, change] : changes) {
      if (change == 0 && !part.intervals.empty()) continue;
      if (!part.intervals.empty()) part.intervals.back().end = time;
      part.intervals.push_back(interval_of(memory.stages[i], time, activations += change));
    }
    part.intervals.back().end = std::max(recording.end(), part.intervals.back().start);
  }
  return parts;
}

}  // namespace orrery::core
