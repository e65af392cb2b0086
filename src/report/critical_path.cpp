#include "report/critical_path.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/words.hpp"
#include "program/members.hpp"
#include "report/chunk_index.hpp"
#include "report/slot_path.hpp"
#include "topology/rank_parts.hpp"

namespace orrery {
namespace {

using Id = ExecutionGraph::Id;

constexpr std::array<Word<PathKind>, 6> kind_words{{{"compute", PathKind::compute},
                                                    {"transition", PathKind::transition},
                                                    {"collective", PathKind::collective},
                                                    {"queue", PathKind::queue},
                                                    {"message", PathKind::message},
                                                    {"memory", PathKind::memory}}};

// Who did what when, in a run whose classes of ranks are all recorded.
class RankTimes {
 public:
  RankTimes(const Program& program, const Recording& recording)
      : program_(program),
        recording_(recording),
        part_of_(recording.classes.ranks()),
        place_(part_of_.size()) {
    for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
      const std::vector<std::uint32_t>& ranks = program.parts[part].ranks;
      for (std::uint32_t place = 0; place < ranks.size(); ++place) {
        part_of_[ranks[place]] = part;
        place_[ranks[place]] = place;
      }
    }
  }

  std::uint32_t part_of(std::uint32_t rank) const { return part_of_[rank]; }
  const ExecutionGraph& graph_of(std::uint32_t rank) const { return program_.parts[part_of_[rank]].graph; }
  const Interval& at(std::uint32_t rank, Id id) const {
    return recording_.of_classes[recording_.classes.class_of(rank)][id];
  }
  // Returns the rank at the same place of another part.
  std::uint32_t counterpart(std::uint32_t rank, std::uint32_t part) const {
    return program_.parts[part].ranks[place_[rank]];
  }

  // Returns the member of the rank's group that was the last to come to a collective, of those that came by
  // that time; the rank itself if no other came later.
  std::uint32_t last_to_come(std::uint32_t rank, Id id, Time by) const {
    std::uint32_t last = rank;
    // One rank stands for a class whose members come together.
    if (recording_.classes.count() == program_.parts.size()) return last;
    const CollectiveRequest& request = graph_of(rank).collective(id);
    const Communicator& communicator = program_.communicators[request.communicator];
    for (const std::uint32_t member : members_with(rank, request, communicator)) {
      if (!is_awaited(member, rank, request, communicator)) continue;
      const Time start = at(member, id).start;
      if (start <= by && start > at(last, id).start) last = member;
    }
    return last;
  }

  // Returns the send that a receive got.
  Id send_of(std::uint32_t rank, Id receive) const {
    const MessageEnd& end = graph_of(rank).message(receive);
    const std::uint32_t sender = counterpart(rank, end.peer);
    const std::vector<Id>& received = messages(rank, OperationKind::receive, end.peer, end.tag);
    const std::vector<Id>& sent = messages(sender, OperationKind::send, part_of_[rank], end.tag);
    return sent[static_cast<std::size_t>(std::ranges::find(received, receive) - received.begin())];
  }

 private:
  // Returns the ends of messages of one kind between two parts, in the order of time: sends as they arrive,
  // and receives as they begin to wait.
  const std::vector<Id>& messages(std::uint32_t rank, OperationKind kind, std::uint32_t peer,
                                  std::uint32_t tag) const {
    auto& known = messages_[{recording_.classes.class_of(rank), kind, peer, tag}];
    if (!known.empty()) return known;
    const ExecutionGraph& graph = graph_of(rank);
    for (Id id = 0; id < graph.size(); ++id)
      if (graph.kind(id) == kind && graph.message(id).peer == peer && graph.message(id).tag == tag)
        known.push_back(id);
    std::ranges::stable_sort(known, {}, [&](Id id) {
      return kind == OperationKind::send ? at(rank, id).end : at(rank, id).start;
    });
    return known;
  }

  const Program& program_;
  const Recording& recording_;
  std::vector<std::uint32_t> part_of_, place_;  // by rank
  mutable std::map<std::tuple<std::uint32_t, OperationKind, std::uint32_t, std::uint32_t>, std::vector<Id>>
      messages_;
};

// Goes back from the end, and adds step by step.
class PathSearch {
 public:
  PathSearch(const Program& program, const Recording& recording)
      : recording_(recording), times_(program, recording) {
    for (const PartRecording& part : recording.parts) chunks_.emplace_back(part.chunks);
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
    rank_ = recording_.classes.representative(static_cast<std::uint32_t>(last - recording_.finish.begin()));
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

  // The operation at which the path is has begun now: goes to the one that it had to wait for.
  void go_to_cause() {
    const auto predecessors = times_.graph_of(rank_).predecessors(id_);
    has_operation_ = !predecessors.empty();
    if (!has_operation_) return add(PathKind::transition, Time());
    id_ = *std::ranges::max_element(predecessors, {}, [&](Id id) { return times_.at(rank_, id).end; });
    add(PathKind::transition, times_.at(rank_, id_).end);
  }

  // A message that arrives before anybody waits for it holds nobody up.
  void pass_receive() {
    if (times_.at(rank_, id_).start == at_) return;
    const std::uint32_t sender = times_.counterpart(rank_, times_.graph_of(rank_).message(id_).peer);
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

  // Goes on with the rank that has to have come to the collective for it to be where it is now.
  void come_last() {
    rank_ = times_.last_to_come(rank_, id_, at_);
    begin_ = times_.at(rank_, id_).start;
  }

  // Returns the phase that had to be over for this one to be begun; null: the collective has just begun.
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

  // Another chunk was in the way, of this collective or of another one.
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
  // Where the path is: at a time in an operation of a rank. A collective on it began then.
  Time at_, begin_;
  std::uint32_t rank_ = 0;
  Id id_ = 0;
  bool has_operation_ = true;
};

}  // namespace

std::string_view name_of(PathKind kind) {
  return word_of(kind_words, kind);
}

std::vector<PathStep> critical_path(const Program& program, const Recording& recording) {
  if (recording.parts.empty()) return slot_path(program, recording);
  return PathSearch(program, recording).search();
}

}  // namespace orrery
