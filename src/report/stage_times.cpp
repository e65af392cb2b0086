#include "report/stage_times.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace orrery {

namespace {

using Id = ExecutionGraph::Id;

// Charges waits in front of operations to what they waited for. Launches by the host count only where they
// outlast all collectives.
class Charges {
 public:
  Charges(const ProgramPart& part, const std::vector<Interval>& operations)
      : graph_(part.graph), operations_(operations), hidden_(hidden_at_end(part, operations)) {}

  // Goes back in the order of the program, which leaves out what runs beside it, such as collectives.
  StageTimes add_up() {
    auto id = static_cast<Id>(graph_.size() - 1);
    for (auto before = graph_.predecessors(id); !before.empty(); before = graph_.predecessors(id)) {
      if (graph_.kind(id) == OperationKind::compute)
        times_.compute += operations_[id].end - operations_[id].start;
      charge(id);
      id = before[0];
    }
    return times_;
  }

 private:
  void charge(Id id) {
    const auto predecessors = graph_.predecessors(id);
    if (predecessors.size() < 2) return;
    Time since = operations_[predecessors[0]].end;
    if (graph_.kind(id) == OperationKind::end) since += hidden_;
    std::vector<Id> waits(predecessors.begin() + 1, predecessors.end());
    std::ranges::stable_sort(waits, {},
                             [&](Id wait) { return std::pair(awaits_host(wait), operations_[wait].end); });
    for (const Id wait : waits) {
      const Time end = operations_[wait].end;
      if (end <= since) continue;
      charge(wait, end - since);
      since = end;
    }
  }

  void charge(Id wait, Time waited) {
    if (awaits_host(wait))
      times_.compute += waited;
    else if (graph_.kind(wait) == OperationKind::collective)
      times_.exposed[axis_of(wait)] += waited;
    else if (graph_.kind(wait) == OperationKind::transition)  // the last block of a collective
      times_.exposed[axis_of(graph_.predecessors(wait)[0])] += waited;
  }

  // Returns whether the operation stands for the host, which launches operators. Other transitions follow
  // collectives.
  bool awaits_host(Id wait) const {
    return graph_.kind(wait) == OperationKind::transition &&
           graph_.kind(graph_.predecessors(wait)[0]) != OperationKind::collective;
  }

  // Communicators behind those of the axes exchange gradients and weights.
  std::size_t axis_of(Id collective) const {
    const std::uint32_t communicator = graph_[collective].collective.communicator;
    return communicator < axis_count ? communicator : static_cast<std::size_t>(Axis::data);
  }

  const ExecutionGraph& graph_;
  const std::vector<Interval>& operations_;
  const Time hidden_;  // of what the end waits for
  StageTimes times_;
};

}  // namespace

Time hidden_at_end(const ProgramPart& part, const std::vector<Interval>& operations) {
  if (!part.hides_end) return {};
  const auto& [first, last] = *part.hides_end;
  return operations[last].end - operations[first].start;
}

Time end_of_stage(const Program& program, const RecordedClass& of) {
  const ProgramPart& part = program.parts[of.part];
  const Id before_end = part.graph.predecessors(static_cast<Id>(part.graph.size() - 1))[0];
  const std::vector<Interval>& operations = *of.operations;
  return std::max(operations[before_end].end, of.finish - hidden_at_end(part, operations));
}

RecordedClass last_of_step(const Program& program, const Recording& recording) {
  const std::vector<RecordedClass> classes = recorded_classes(program, recording);
  return *std::ranges::max_element(classes, {},
                                   [&](const RecordedClass& of) { return end_of_stage(program, of); });
}

Time end_of_step(const Program& program, const Recording& recording) {
  return end_of_stage(program, last_of_step(program, recording));
}

StageTimes stage_times(const ProgramPart& part, const std::vector<Interval>& operations) {
  return Charges(part, operations).add_up();
}

}  // namespace orrery
