#include "report/part_summary.hpp"

#include <algorithm>
#include <unordered_map>

#include "report/staleness.hpp"
#include "report/statistics.hpp"

namespace orrery {

namespace {

__extension__ using Wide = __int128;

Time total_of(const PassTimes& times) {
  return saturated_sum(saturated_sum(times[0], times[1]), times[2]);
}

// Returns the time in which the part's recorded rank waits for messages.
Time awaited_messages(const ProgramPart& part, const PartRecording& recording) {
  Time awaited;
  for (ExecutionGraph::Id id = 0; id < part.graph.size(); ++id) {
    const Operation& operation = part.graph[id];
    const Interval& interval = recording.operations[id];
    if (operation.kind == OperationKind::receive && !operation.background)
      awaited += interval.end - interval.start;
  }
  return awaited;
}

// Sums up layers over parts.
class Layers {
 public:
  explicit Layers(Summary& summary) : summary_(summary) {}

  // Adds a part's layers to those of all, and their times to the part's.
  void add(const ProgramPart& of, const PartRecording& recording, PartSummary& part) {
    const std::vector<std::string>& names = of.graph.layer_names;
    const auto times = layer_times(of.graph, recording, FinalWait::every_collective);
    for (std::size_t layer = 0; layer < times.size(); ++layer) {
      const auto [known, first] = layer_of_.emplace(names[layer], summary_.layers.size());
      if (first) summary_.layers.push_back({names[layer], {}, {}, {}});
      LayerSummary& sum = summary_.layers[known->second];
      sum.compute += total_of(times[layer].compute);
      sum.communication = saturated_sum(sum.communication, total_of(times[layer].communication));
      sum.exposed += total_of(times[layer].exposed);
      part.compute += total_of(times[layer].compute);
      part.awaits_collectives += total_of(times[layer].exposed);
    }
  }

 private:
  Summary& summary_;
  std::unordered_map<std::string, std::size_t> layer_of_;  // by name
};

void add_iteration_ends(Summary& summary, const Program& program, const Recording& recording) {
  summary.iteration_ends.assign(static_cast<std::size_t>(summary.iterations), Time());
  for (std::size_t i = 0; i < program.parts.size(); ++i) {
    const std::vector<Time> ends = iteration_ends(program.parts[i].graph, recording.parts[i]);
    for (std::size_t k = 0; k < std::min(ends.size(), summary.iteration_ends.size()); ++k)
      summary.iteration_ends[k] = std::max(summary.iteration_ends[k], ends[k]);
  }
}

}  // namespace

void add_parts(Summary& summary, const Program& program, const Recording& recording) {
  summary.total = summary.rank_0_total = recording.end();
  Layers layers(summary);
  Wide compute_ps = 0;  // of all ranks; a mean in whole picoseconds is never more than the longest
  std::size_t ranks = 0;
  for (std::size_t i = 0; i < program.parts.size(); ++i) {
    const ProgramPart& of = program.parts[i];
    PartSummary part{of.name, of.size(), {}, {}, {}, of.micro_batches_in_flight};
    PartRecording taken = recording.parts[i];
    taken.slowdown = 0;  // what operations took, not what they would
    layers.add(of, taken, part);
    part.awaits_messages = awaited_messages(of, taken);
    compute_ps += static_cast<Wide>(part.compute.ps()) * static_cast<std::int64_t>(part.npus);
    ranks += part.npus;
    summary.parts.push_back(part);
  }
  summary.compute = Time::from_ps(static_cast<std::int64_t>(compute_ps / static_cast<std::int64_t>(ranks)));
  summary.bubble = std::max(Time(), recording.without_communication - summary.compute);
  summary.exposed = summary.total - summary.compute - summary.bubble;
  add_iteration_ends(summary, program, recording);
  if (program.parts_train_alike) summary.staleness = largest_staleness(program, recording);
}

void add_dimensions(Summary& summary, const Program& program, const Recording& recording) {
  if (summary.dimensions.empty()) return;
  const std::vector<LogicalDimension> dimensions = all_dimensions(program);
  for (std::size_t i = 0; i < program.parts.size(); ++i) {
    const double share = static_cast<double>(program.parts[i].size()) / summary.npus;
    const PartRecording& part = recording.parts[i];
    for (std::size_t d = 0; d < summary.dimensions.size(); ++d)
      summary.dimensions[d].payload +=
          Bytes(static_cast<std::uint64_t>(static_cast<double>(part.payload[d].count()) * share));
    const std::vector<Time> served = service_totals(part);
    for (std::size_t d = 0; d < served.size() && summary.total > Time(); ++d) {
      if (dimensions[d].physical < 0) continue;
      summary.dimensions[static_cast<std::size_t>(dimensions[d].physical)].busy +=
          served[d].ns() / summary.total.ns() * share;
    }
  }
}

}  // namespace orrery
