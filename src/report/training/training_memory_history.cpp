#include "report/training/training_memory_history.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace orrery::core {

namespace {

// Times at which a micro-batch passes one of the stage's chunks.
struct PassTimes {
  std::optional<Interval> forward, backward;
};
using Passes = std::map<std::pair<std::int32_t, std::int32_t>, PassTimes>;  // by chunk and micro-batch

void extend(std::optional<Interval>& pass, const Interval& by) {
  if (!pass) pass = by;
  pass->start = std::min(pass->start, by.start);
  pass->end = std::max(pass->end, by.end);
}

Passes passes_of(const ProgramPart& part, const std::vector<Interval>& operations) {
  Passes passes;
  for (ExecutionGraph::Id id = 0; id < part.graph.size(); ++id) {
    if (part.graph.kind(id) != OperationKind::compute) continue;
    const Operation operation = part.graph[id];
    if (operation.micro_batch < 0) continue;
    PassTimes& of = passes[{operation.layer, operation.micro_batch}];
    extend(operation.pass == Pass::forward ? of.forward : of.backward, operations[id]);
  }
  return passes;
}

// How much the memory changes at a time.
struct Change {
  Time at = {};
  int chunks = 0;  // whose activations are kept
  int working = 0, head = 0;
};

class StageHistory {
 public:
  StageHistory(const StageResult& stage, const ProgramPart& part, const std::vector<Interval>& operations)
      : stage_(stage), passes_(passes_of(part, operations)) {
    for (const auto& [key, times] : passes_) chunks_ = std::max(chunks_, key.first + 1);
    for (const auto& [key, times] : passes_) add(times);
    add_head();
    std::ranges::sort(changes_, {}, &Change::at);
  }

  PartMemory until(Time end) const {
    PartMemory memory{stage_.name, {}};
    Change now;
    memory.intervals.push_back(interval_at(Time(), now));
    for (const Change& change : changes_) {
      now.chunks += change.chunks;
      now.working += change.working;
      now.head += change.head;
      MemoryInterval next = interval_at(change.at, now);
      if (change.at == memory.intervals.back().start)
        memory.intervals.back() = next;
      else if (next.kept != memory.intervals.back().kept)
        memory.intervals.push_back(next);
    }
    for (std::size_t i = 0; i + 1 < memory.intervals.size(); ++i)
      memory.intervals[i].end = memory.intervals[i + 1].start;
    memory.intervals.back().end = std::max(end, memory.intervals.back().start);
    return memory;
  }

 private:
  void add(const PassTimes& times) {
    if (!times.forward || !times.backward) return;
    changes_.push_back({.at = times.forward->start, .chunks = 1});
    changes_.push_back({.at = times.backward->start, .working = 1});
    changes_.push_back({.at = times.backward->end, .chunks = -1, .working = -1});
  }

  // The head is behind the last chunk. It has room for the logits of one micro-batch, from the arrival of the
  // first micro-batch until the last one leaves.
  void add_head() {
    std::optional<Interval> all;
    for (const auto& [key, times] : passes_) {
      if (key.first + 1 != chunks_ || !times.forward || !times.backward) continue;
      extend(all, {times.forward->start, times.backward->end});
    }
    if (!all) return;
    changes_.push_back({.at = all->start, .head = 1});
    changes_.push_back({.at = all->end, .head = -1});
  }

  // Sums are taken in the order of StageMemory::total(), so that the total is the same where everything is
  // kept.
  MemoryInterval interval_at(Time start, const Change& now) const {
    const StageMemory& memory = stage_.memory;
    const double in_flight = static_cast<double>(now.chunks) / chunks_;
    const double share = stage_.micro_batches_in_flight > 0 ? in_flight / stage_.micro_batches_in_flight : 0;
    const double activations = memory.activations * share, embedding = memory.embedding * share;
    const double head = now.head > 0 ? memory.head : 0, working = now.working > 0 ? memory.working : 0;
    MemoryInterval interval{start, start};
    interval[MemoryKind::weights] = memory.state.weights;
    interval[MemoryKind::gradients] = memory.state.gradients;
    interval[MemoryKind::optimizer] = memory.state.optimizer;
    interval[MemoryKind::activations] = activations + embedding + head;
    interval[MemoryKind::working] = working;
    interval.total = memory.state.total() + activations + embedding + head + working;
    return interval;
  }

  const StageResult& stage_;
  const Passes passes_;
  int chunks_ = 1;
  std::vector<Change> changes_;  // by time
};

}  // namespace

namespace {

// Inference keeps the same all the time.
PartMemory memory_of_inference(const StageResult& stage, Time end) {
  MemoryInterval interval{Time(), end};
  interval[MemoryKind::weights] = stage.memory.state.weights;
  interval[MemoryKind::activations] = stage.memory.cache + stage.memory.head;
  interval[MemoryKind::working] = stage.memory.working;
  interval.total = stage.memory.total();
  return {stage.name, {interval}};
}

}  // namespace

std::vector<PartMemory> memory_of_stages(const TrainingResult& result, const Program& program,
                                         const Recording& recording) {
  std::vector<PartMemory> stages;
  if (result.is_inference) {
    for (const StageResult& stage : result.stages)
      stages.push_back(memory_of_inference(stage, recording.end()));
    return stages;
  }
  for (std::size_t i = 0; i < program.parts.size(); ++i)
    stages.push_back(StageHistory(result.stages[i], program.parts[i], recording.lowest_of(i).operations)
                         .until(recording.end()));
  return stages;
}

}  // namespace orrery::core
