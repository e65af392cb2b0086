#include "report/slot_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>

namespace orrery {

namespace {

using Id = ExecutionGraph::Id;
__extension__ using Wide = __int128;

bool is_asked_of_others(OperationKind kind) {
  return kind == OperationKind::collective || kind == OperationKind::send || kind == OperationKind::receive ||
         kind == OperationKind::load || kind == OperationKind::store;
}

// Sorts intervals and joins those that touch.
std::vector<Interval> joined(std::vector<Interval> intervals) {
  std::ranges::sort(intervals, {}, &Interval::start);
  std::vector<Interval> joined;
  for (const Interval& interval : intervals) {
    if (!joined.empty() && interval.start <= joined.back().end)
      joined.back().end = std::max(joined.back().end, interval.end);
    else
      joined.push_back(interval);
  }
  return joined;
}

// Returns for how long each operation holds up its rank. While the rank computes nothing, this is the
// operation under way that ends next.
std::vector<std::pair<Id, Time>> waits_of(const ExecutionGraph& graph,
                                          const std::vector<Interval>& operations,
                                          const std::vector<Interval>& computing, Time end) {
  std::vector<Id> by_start;
  for (Id id = 0; id < graph.size(); ++id)
    if (is_asked_of_others(graph.kind(id)) && operations[id].start < operations[id].end)
      by_start.push_back(id);
  std::ranges::stable_sort(by_start, {}, [&](Id id) { return operations[id].start; });
  const auto ends_later = [&](Id a, Id b) {
    return std::pair(operations[a].end, a) > std::pair(operations[b].end, b);
  };
  std::priority_queue<Id, std::vector<Id>, decltype(ends_later)> under_way(ends_later);
  std::vector<std::pair<Id, Time>> waits;
  std::size_t next = 0;
  const auto wait = [&](Time now, Time until) {
    while (now < until) {
      while (next < by_start.size() && operations[by_start[next]].start <= now)
        under_way.push(by_start[next++]);
      while (!under_way.empty() && operations[under_way.top()].end <= now) under_way.pop();
      Time then = next < by_start.size() ? std::min(until, operations[by_start[next]].start) : until;
      if (!under_way.empty()) {
        then = std::min(then, operations[under_way.top()].end);
        waits.emplace_back(under_way.top(), then - now);
      }
      now = then;
    }
  };
  Time idle_since;
  for (const Interval& interval : computing) {
    wait(idle_since, interval.start);
    idle_since = interval.end;
  }
  wait(idle_since, end);
  return waits;
}

// Sums over ranks. Each rank's time is so short that the sums fit.
struct Sums {
  Wide compute = 0, communication = 0, exposed = 0;
};

Time mean(Wide sum, std::uint64_t ranks) {
  constexpr Wide longest = INT64_MAX;
  return Time::from_ps(static_cast<std::int64_t>(std::min(sum / static_cast<Wide>(ranks), longest)));
}

class SlotSums {
 public:
  SlotSums(const Program& program, const Recording& recording) : program_(program), recording_(recording) {
    for (const ProgramPart& part : program.parts) parts_.push_back({part.name, 0, 0, 0, 0});
  }

  // Adds a rank that stands for this many ranks.
  void add(std::uint32_t rank, std::uint32_t part, std::uint64_t stands_for) {
    const ExecutionGraph& graph = program_.parts[part].graph;
    const std::vector<Interval>& operations = recording_.operations_of(rank);
    const auto times = static_cast<Wide>(stands_for);
    std::vector<Interval> computing;
    for (Id id = 0; id < graph.size(); ++id) {
      const bool computes = graph.kind(id) == OperationKind::compute;
      const Wide took = (operations[id].end - operations[id].start).ps() * times;
      if (took == 0) continue;
      if (computes) computing.push_back(operations[id]);
      if (computes)
        layer(graph, id).compute += took;
      else if (is_asked_of_others(graph.kind(id)))
        layer(graph, id).communication += took;
    }
    computing = joined(std::move(computing));
    PartSums& of = parts_[part];
    of.ranks += stands_for;
    for (const Interval& interval : computing) of.compute += (interval.end - interval.start).ps() * times;
    for (const auto& [id, time] : waits_of(graph, operations, computing, recording_.finish_of(rank))) {
      const Wide waited = time.ps() * times;
      layer(graph, id).exposed += waited;
      (graph.kind(id) == OperationKind::collective ? of.awaits_collectives : of.awaits_messages) += waited;
    }
    ranks_ += stands_for;
  }

  void finish(Summary& summary) const {
    Wide compute = 0;
    for (const PartSums& part : parts_) compute += part.compute;
    summary.compute = mean(compute, ranks_);
    for (const auto& [name, sums] : layers_)
      summary.layers.push_back(
          {name, mean(sums.compute, ranks_), mean(sums.communication, ranks_), mean(sums.exposed, ranks_)});
    if (program_.is_uniform()) return;
    for (const PartSums& part : parts_)
      summary.parts.push_back({part.name, part.ranks, mean(part.compute, part.ranks),
                               mean(part.awaits_messages, part.ranks),
                               mean(part.awaits_collectives, part.ranks)});
  }

 private:
  struct PartSums {
    std::string name;
    std::uint64_t ranks;
    Wide compute, awaits_messages, awaits_collectives;
  };

  Sums& layer(const ExecutionGraph& graph, Id id) {
    std::string name(graph.name(id));
    if (name.empty()) name = fmt::format("node {}", graph.number(id));
    const auto [known, is_new] = number_of_.try_emplace(name, layers_.size());
    if (is_new) layers_.emplace_back(std::move(name), Sums());
    return layers_[known->second].second;
  }

  const Program& program_;
  const Recording& recording_;
  std::vector<PartSums> parts_;
  std::vector<std::pair<std::string, Sums>> layers_;  // by first appearance
  std::unordered_map<std::string, std::size_t> number_of_;
  std::uint64_t ranks_ = 0;
};

}  // namespace

void add_slots(Summary& summary, const Program& program, const Recording& recording) {
  const RankClasses& classes = recording.classes;
  const std::vector<std::uint32_t> part_of = parts_of_ranks(program, classes.ranks());
  SlotSums sums(program, recording);
  const std::uint32_t counted = program.is_uniform() ? 1 : classes.count();
  for (std::uint32_t number = 0; number < counted; ++number) {
    const std::uint32_t rank = classes.representative(number);
    sums.add(rank, part_of[rank], program.is_uniform() ? 1 : classes.size(number));
  }
  sums.finish(summary);
  summary.total = recording.end();
  if (program.is_uniform()) {
    while (recording.finish[summary.last_rank] < summary.total) ++summary.last_rank;
    summary.last_rank = classes.representative(summary.last_rank);
    summary.rank_0_total = recording.finish_of(0);
  } else {
    summary.rank_0_total = summary.total;
    // Free communication may change which operation gets a slot first, and so make a run longer.
    const Time idle = summary.total - summary.compute;
    summary.bubble = std::clamp(recording.without_communication - summary.compute, Time(), idle);
  }
  summary.exposed = summary.rank_0_total - summary.compute - summary.bubble;
  summary.iteration_ends = {summary.rank_0_total};
}

}  // namespace orrery
