#include "report/critical_path/critical_path.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "collective/flow/chunk_records.hpp"
#include "report/critical_path/slot_path.hpp"
#include "report/statistics/rank_times.hpp"

namespace orrery::core {

namespace {

// Finds what happened to chunks of collectives at a given time.
class ChunkIndex {
 public:
  // Keeps a reference.
  explicit ChunkIndex(const ChunkRecords& chunks);

  // Each of these returns a phase that was left at that time and took some time, or null where there is none.
  // The first looks for a phase of a collective, the second for one in a dimension, the third for any.
  const PhaseRecord* left(Time at, std::uint32_t token) const;
  const PhaseRecord* left_dimension(Time at, std::uint16_t dimension) const;
  const PhaseRecord* left(Time at) const;
  // Returns the chunk's phase before that one. Null: it is the first.
  const PhaseRecord* before(const PhaseRecord& phase) const;

 private:
  template <class Wanted>
  const PhaseRecord* find(Time at, const Wanted& wanted) const;

  const ChunkRecords& chunks_;
  std::vector<std::uint32_t> by_end_;    // places of phases
  std::vector<std::uint32_t> by_chunk_;  // places of phases, by chunk and phase
};

ChunkIndex::ChunkIndex(const ChunkRecords& chunks)
    : chunks_(chunks), by_end_(chunks.phases.size()), by_chunk_(chunks.phases.size()) {
  std::iota(by_end_.begin(), by_end_.end(), 0u);
  by_chunk_ = by_end_;
  std::ranges::stable_sort(by_end_, {}, [&](std::uint32_t place) { return chunks_.phases[place].left; });
  std::ranges::stable_sort(by_chunk_, {}, [&](std::uint32_t place) {
    return std::tuple(chunks_.phases[place].chunk, chunks_.phases[place].phase);
  });
}

template <class Wanted>
const PhaseRecord* ChunkIndex::find(Time at, const Wanted& wanted) const {
  const auto end_of = [&](std::uint32_t place) { return chunks_.phases[place].left; };
  for (auto place = std::ranges::lower_bound(by_end_, at, {}, end_of);
       place != by_end_.end() && end_of(*place) == at; ++place) {
    const PhaseRecord& phase = chunks_.phases[*place];
    if (phase.started < phase.left && wanted(phase)) return &phase;
  }
  return nullptr;
}

const PhaseRecord* ChunkIndex::left(Time at, std::uint32_t token) const {
  return find(at, [&](const PhaseRecord& phase) { return phase.token == token; });
}

const PhaseRecord* ChunkIndex::left_dimension(Time at, std::uint16_t dimension) const {
  return find(at, [&](const PhaseRecord& phase) { return phase.dimension == dimension; });
}

const PhaseRecord* ChunkIndex::left(Time at) const {
  return find(at, [](const PhaseRecord&) { return true; });
}

const PhaseRecord* ChunkIndex::before(const PhaseRecord& phase) const {
  if (phase.phase == 0) return nullptr;
  const std::tuple wanted(phase.chunk, static_cast<std::uint16_t>(phase.phase - 1));
  const auto place = std::ranges::lower_bound(by_chunk_, wanted, {}, [&](std::uint32_t one) {
    return std::tuple(chunks_.phases[one].chunk, chunks_.phases[one].phase);
  });
  if (place == by_chunk_.end()) return nullptr;
  const PhaseRecord& found = chunks_.phases[*place];
  return found.chunk == phase.chunk && found.phase + 1 == phase.phase ? &found : nullptr;
}

using Id = ExecutionGraph::Id;

constexpr std::array<EnumName<PathKind>, 6> kind_words{{{"compute", PathKind::compute},
                                                        {"transition", PathKind::transition},
                                                        {"collective", PathKind::collective},
                                                        {"queue", PathKind::queue},
                                                        {"message", PathKind::message},
                                                        {"memory", PathKind::memory}}};

// Goes back from the end, and adds step by step.
class PathSearch {
 public:
  PathSearch(const Program& program, const Recording& recording)
      : recording_(recording), times_(program, recording) {
    for (std::size_t part = 0; part < recording.parts.size(); ++part)
      chunks_.emplace_back(recording.phases_of(part)->chunks);
  }

  std::vector<PathStep> search() {
    begin_at_end();
    while (has_operation_) {
      const OperationKind kind = times_.graph_of(rank_).kind(id_);
      switch (kind) {
        case OperationKind::collective:
          pass_collective();
          break;
        case OperationKind::receive:
          pass_receive();
          break;
        default:
          add(kind_of(kind), times_.at(rank_, id_).start);
          break;
      }
      go_to_cause();
    }
    std::ranges::reverse(steps_);
    return std::move(steps_);
  }

 private:
  static PathKind kind_of(OperationKind kind) {
    if (kind == OperationKind::send) return PathKind::message;
    return kind == OperationKind::compute ? PathKind::compute : PathKind::transition;
  }

  void begin_at_end() {
    const auto last = std::ranges::max_element(recording_.finish);
    rank_ = recording_.classes.representative(ClassId(last - recording_.finish.begin()));
    at_ = *last;
    const ExecutionGraph& graph = times_.graph_of(rank_);
    for (Id id = 0; id < graph.size(); ++id)
      if (graph.kind(id) == OperationKind::end && times_.at(rank_, id).end == at_) id_ = id;
  }

  // Adds a step that begins then and ends where the path is now.
  void add(PathKind kind, Time from, int dimension = -1) {
    if (from >= at_) return;
    steps_.push_back({kind, rank_, times_.part_of(rank_), id_, {from, at_}, dimension});
    at_ = from;
  }

  // The operation at which the path is has begun now. Goes to the operation that it had to wait for.
  void go_to_cause() {
    const std::optional<Id> cause = times_.cause_of(rank_, id_);
    has_operation_ = cause.has_value();
    if (!has_operation_) return add(PathKind::transition, Time());
    id_ = *cause;
    add(PathKind::transition, times_.at(rank_, id_).end);
  }

  // If a message arrives before anybody waits for it, it holds nobody up.
  void pass_receive() {
    if (times_.at(rank_, id_).start == at_) return;
    const RankId sender = times_.counterpart(rank_, times_.graph_of(rank_).message(id_).peer);
    id_ = times_.send_of(rank_, id_);
    rank_ = sender;
    add(PathKind::message, times_.at(rank_, id_).start);
  }

  void pass_collective() {
    if (times_.at(rank_, id_).end == times_.at(rank_, id_).start) return;
    add(PathKind::transition, std::max(at_ - times_.graph_of(rank_).delay(id_), times_.at(rank_, id_).start));
    come_last();
    const ChunkIndex& chunks = chunks_[times_.part_of(rank_)];
    const PhaseRecord* phase = chunks.left(at_, id_);
    if (!phase) return add(PathKind::collective, begin_);
    while (phase) phase = pass_phase(chunks, *phase);
  }

  // Goes on with the rank that had to come to the collective before the collective could be where it is now.
  void come_last() {
    rank_ = times_.last_to_come(rank_, id_, at_);
    begin_ = times_.at(rank_, id_).start;
  }

  // Returns the phase that had to end before this one could begin; null if the collective has just begun.
  const PhaseRecord* pass_phase(const ChunkIndex& chunks, const PhaseRecord& phase) {
    add(PathKind::collective, std::max(phase.started, begin_), phase.dimension);
    if (at_ == begin_) return nullptr;
    if (phase.entered < phase.started) {
      if (const PhaseRecord* other = chunks.left_dimension(at_, phase.dimension); may_turn_to(other))
        return turn_to(other);
      add(PathKind::queue, std::max(phase.entered, begin_), phase.dimension);
      if (at_ == begin_) return nullptr;
    }
    const PhaseRecord* const before = chunks.before(phase);
    if (before && before->left == at_) return before;
    if (const PhaseRecord* other = chunks.left(at_); may_turn_to(other)) return turn_to(other);
    add(PathKind::queue, begin_, phase.dimension);
    return nullptr;
  }

  // The recorded rank's chunk is that of this rank, too, if the rank has come to its collective by now.
  bool may_turn_to(const PhaseRecord* phase) const {
    return phase && times_.at(rank_, phase->token).start <= at_;
  }

  // Another chunk, of this collective or of another one, was in the way.
  const PhaseRecord* turn_to(const PhaseRecord* phase) {
    if (phase->token == id_) return phase;
    id_ = phase->token;
    come_last();
    return phase;
  }

  const Recording& recording_;
  RankTimes times_;
  std::vector<ChunkIndex> chunks_;  // by part
  std::vector<PathStep> steps_;     // backwards
  // The place of the path is a time in an operation of a rank. A collective on the path began at `begin_`.
  Time at_, begin_;
  RankId rank_;
  Id id_ = 0;
  bool has_operation_ = true;
};

}  // namespace

std::string_view name_of(PathKind kind) {
  return word_of(kind_words, kind);
}

std::vector<PathStep> critical_path(const Program& program, const Recording& recording) {
  if (program.issues_in_slots()) return slot_path(program, recording);
  return PathSearch(program, recording).search();
}

std::vector<PathStep> divided_passes(const std::vector<PathStep>& path, const ComputedWork& work) {
  std::vector<PathStep> divided;
  for (const PathStep& step : path) {
    const std::vector<ExposedCollective> exposed = step.kind == PathKind::compute
                                                       ? work.exposed(step.part, step.operation)
                                                       : std::vector<ExposedCollective>();
    Seconds waits;
    for (const ExposedCollective& one : exposed) waits += one.time;
    const auto add = [&](PathKind kind, Time until, const ExposedCollective* within) {
      PathStep piece = step;
      piece.kind = kind;
      if (within) {
        piece.within = within->request;
        piece.count = within->count;
      }
      piece.interval = {divided.empty() ? Time() : divided.back().interval.end, until};
      if (piece.interval.end > piece.interval.start) divided.push_back(piece);
    };
    const auto before_end = [&](Seconds time) {
      return std::max(step.interval.start, step.interval.end - time.rounded());
    };
    add(step.kind, before_end(waits), nullptr);
    for (const ExposedCollective& one : exposed) {
      waits = waits - one.time;
      add(PathKind::collective, &one == &exposed.back() ? step.interval.end : before_end(waits), &one);
    }
  }
  return divided;
}

}  // namespace orrery::core
