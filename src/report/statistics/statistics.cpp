#include "report/statistics/statistics.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace orrery::core {

namespace {

using Id = ExecutionGraph::Id;

std::size_t index_of(Pass pass) {
  return static_cast<std::size_t>(pass);
}

void charge_layer_0(const ExecutionGraph& graph, const std::vector<Interval>& operations, Id end_id,
                    std::vector<LayerTimes>& layers) {
  const auto predecessors = graph.predecessors(end_id);
  const Time waiting_since = operations[predecessors[0]].end;
  Time first = Time::from_ps(std::numeric_limits<std::int64_t>::max());
  for (Id awaited : predecessors.subspan(1)) {
    const Time end = operations[awaited].end;
    const bool counts = graph[awaited].layer == 0 && graph[awaited].pass == Pass::weight_gradient;
    if (counts && end > waiting_since) first = std::min(first, end);
  }
  if (first < Time::from_ps(std::numeric_limits<std::int64_t>::max())) {
    layers[0].exposed[index_of(Pass::weight_gradient)] += first - waiting_since;
  }
}

// Charges what an operation waits for beside the one before it, in the order of the program.
void charge_waits(const ExecutionGraph& graph, const std::vector<Interval>& operations, Id id,
                  std::vector<LayerTimes>& layers) {
  const auto predecessors = graph.predecessors(id);
  if (predecessors.size() < 2) return;
  Time waiting_since = operations[predecessors[0]].end;
  for (const Id awaited : predecessors.subspan(1)) {
    const Time end = operations[awaited].end;
    if (end <= waiting_since) continue;
    layers[static_cast<std::size_t>(graph[awaited].layer)].exposed[index_of(graph[awaited].pass)] +=
        end - waiting_since;
    waiting_since = end;
  }
}

// Busy time by window, from intervals that come in order and do not overlap.
class WindowShares {
 public:
  WindowShares(Time window, std::int64_t windows) : window_(window), windows_(windows) {}

  void add(Time from, Time until) {
    while (from < until) {
      const std::int64_t number = from.ps() / window_.ps();
      if (number >= windows_) return;
      go_to(number);
      const std::int64_t whole = std::min(until.ps() / window_.ps(), windows_) - number;
      if (from == window_ * number && whole > 0) {
        append(whole, 1);
        present_ += whole;
        from = window_ * present_;
      } else {
        const Time end = std::min(until, window_ * (number + 1));
        busy_ += end - from;
        from = end;
      }
    }
  }

  std::vector<EqualWindows> finish() {
    go_to(windows_);
    return std::move(shares_);
  }

 private:
  // Ends the present window, and those that are idle until the next.
  void go_to(std::int64_t next) {
    if (next == present_) return;
    append(1, busy_.ns() / window_.ns());
    if (next - present_ > 1) append(next - present_ - 1, 0);
    present_ = next;
    busy_ = Time();
  }
  void append(std::int64_t windows, double share) {
    if (!shares_.empty() && shares_.back().share == share)
      shares_.back().windows += windows;
    else
      shares_.push_back({windows, share});
  }

  Time window_;
  std::int64_t windows_;
  std::int64_t present_ = 0;  // window
  Time busy_;                 // of it
  std::vector<EqualWindows> shares_;
};

}  // namespace

std::vector<LayerTimes> layer_times(const ExecutionGraph& graph, const std::vector<Interval>& operations,
                                    bool slowed) {
  std::vector<LayerTimes> layers(graph.layer_names.size());
  for (Id id = 0; id < graph.size(); ++id) {
    const Operation& operation = graph[id];
    const Interval& interval = operations[id];
    if (operation.background) continue;
    if (operation.kind == OperationKind::compute) {
      layers[operation.layer].compute[index_of(operation.pass)] +=
          slowed ? interval.end - interval.start : operation.duration;
    } else if (operation.kind == OperationKind::collective || is_message(operation.kind)) {
      Time& sum = layers[operation.layer].communication[index_of(operation.pass)];
      sum = saturated_sum(sum, interval.end - interval.start);
    }
    if (operation.kind == OperationKind::end)
      charge_layer_0(graph, operations, id, layers);
    else if (operation.kind != OperationKind::pass_end)  // which only looks on while the program waits
      charge_waits(graph, operations, id, layers);
  }
  return layers;
}

std::vector<Time> iteration_ends(const ExecutionGraph& graph, const std::vector<Interval>& operations) {
  std::vector<Time> ends;
  for (Id id = 0; id < graph.size(); ++id) {
    if (graph.kind(id) == OperationKind::pass_end) ends.push_back(operations[id].end);
  }
  return ends;
}

namespace {

// Means, entry by entry, over lists that may differ in length: a short list counts in every entry's divisor.
struct MeanOfLists {
  std::vector<double> sums;
  double count = 0;

  void add(const std::vector<double>& list) {
    if (list.size() > sums.size()) sums.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) sums[i] += list[i];
    ++count;
  }
  std::vector<double> mean() const {
    std::vector<double> result;
    for (double sum : sums) result.push_back(sum / count);
    return result;
  }
};

struct MeanDelays {
  MeanOfLists queueing, network;
};

LayerDelays delays_of(const std::vector<const PhaseRecord*>& phases) {
  LayerDelays delays{{0.0}, {}};  // a chunk enters its first queue in the instant in which it is made
  for (const PhaseRecord* phase : phases) {
    delays.queueing.push_back((phase->started - phase->entered).ns());
    // A root may receive nothing.
    const double messages = static_cast<double>(std::max<std::uint64_t>(phase->messages, 1));
    delays.network.push_back(phase->latency_sum.ns() / messages);
  }
  return delays;
}

}  // namespace

std::vector<LayerDelays> layer_delays(const ExecutionGraph& graph, const PhaseRecords& records) {
  std::unordered_map<std::uint32_t, std::vector<const PhaseRecord*>> phases_of_chunk;
  for (const PhaseRecord& record : records.chunks.phases) phases_of_chunk[record.chunk].push_back(&record);

  std::unordered_map<Id, MeanDelays> collectives;
  for (std::uint32_t chunk : records.chunks.finished) {
    const auto& phases = phases_of_chunk[chunk];
    const LayerDelays delays = delays_of(phases);
    MeanDelays& collective = collectives[phases.front()->token];
    collective.queueing.add(delays.queueing);
    collective.network.add(delays.network);
  }

  std::vector<MeanDelays> layers(graph.layer_names.size());
  for (Id id : records.completed) {
    const auto found = collectives.find(id);
    if (found == collectives.end()) continue;
    MeanDelays& layer = layers[graph[id].layer];
    layer.queueing.add(found->second.queueing.mean());
    layer.network.add(found->second.network.mean());
  }
  std::vector<LayerDelays> result;
  for (const MeanDelays& layer : layers) result.push_back({layer.queueing.mean(), layer.network.mean()});
  return result;
}

std::vector<double> chunk_service_times(const PhaseRecords& records) {
  struct Sum {
    Time time;
    std::uint64_t count = 0;
  };
  std::vector<Sum> sums(records.logical_dimensions);
  for (const PhaseRecord& record : records.chunks.phases) {
    sums[record.dimension].time += record.left - record.started;
    ++sums[record.dimension].count;
  }
  std::vector<double> result;
  for (const Sum& sum : sums) result.push_back(sum.time.ns() / static_cast<double>(sum.count));
  return result;
}

Time time_covered(std::vector<Interval> intervals) {
  std::ranges::sort(intervals, {}, &Interval::start);
  Time total, until;
  for (const Interval& interval : intervals) {
    if (interval.end <= until) continue;
    total += interval.end - std::max(interval.start, until);
    until = interval.end;
  }
  return total;
}

std::vector<std::vector<Interval>> services(const PhaseRecords& records, const std::vector<int>& physical,
                                            std::size_t dimensions) {
  std::vector<std::vector<Interval>> services(dimensions);
  for (const PhaseRecord& phase : records.chunks.phases)
    if (physical[phase.dimension] >= 0)
      services[static_cast<std::size_t>(physical[phase.dimension])].push_back({phase.started, phase.left});
  return services;
}

std::vector<int> physical_dimensions(const std::vector<Communicator>& communicators) {
  std::vector<int> physical;
  for (const Communicator& communicator : communicators)
    for (const LogicalDimension& dimension : communicator.dimensions) physical.push_back(dimension.physical);
  return physical;
}

std::vector<DimensionUse> dimension_uses(const Program& program, const PartRecord& part) {
  if (const auto* const known = std::get_if<std::vector<DimensionUse>>(&part.collectives)) return *known;
  const auto& records = std::get<PhaseRecords>(part.collectives);
  std::vector<DimensionUse> uses = records.besides;
  uses.resize(records.payload.size());
  std::vector<std::vector<Interval>> served =
      services(records, physical_dimensions(program.communicators), uses.size());
  for (std::size_t d = 0; d < uses.size(); ++d) {
    uses[d].payload += records.payload[d];
    uses[d].busy += time_covered(std::move(served[d]));
  }
  return uses;
}

std::vector<std::vector<EqualWindows>> utilization(const PhaseRecords& records, Time finish, Time window) {
  std::vector<std::vector<EqualWindows>> result;
  for (std::size_t d = 0; d < records.logical_dimensions; ++d) {
    WindowShares shares(window, finish.ps() / window.ps());
    Time covered;  // records come in the order in which they were entered
    for (const PhaseRecord& record : records.chunks.phases) {
      if (record.dimension != d || record.left <= covered) continue;
      shares.add(std::max(record.entered, covered), record.left);
      covered = record.left;
    }
    result.push_back(shares.finish());
  }
  return result;
}

}  // namespace orrery::core
