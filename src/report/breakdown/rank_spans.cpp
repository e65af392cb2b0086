#include "report/breakdown/rank_spans.hpp"

#include <algorithm>

namespace orrery::core {

namespace {

__extension__ using Int128 = __int128;

// Takes so much of the waits' time that is no bubble yet, from each in proportion to what it has.
void spread_bubble(Time more, std::vector<Span>& spans) {
  Int128 exposed = 0;
  for (const Span& span : spans)
    if (span.spent == Spent::wait) exposed += span.exposed().ps();
  if (exposed == 0) return;
  Int128 before = 0, given = 0;  // sums over the waits so far
  for (Span& span : spans) {
    if (span.spent != Spent::wait) continue;
    before += span.exposed().ps();
    const Int128 share = before * more.ps() / exposed - given;
    span.bubble += Time::from_ps(static_cast<std::int64_t>(share));
    given += share;
  }
}

Time contended_within(const ExecutionGraph& graph) {
  Time sum;
  if (graph.contends())
    for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) sum += graph.contention(id).within;
  return sum;
}

}  // namespace

RankSpans::RankSpans(const Program& program, const Recording& recording) : recording_(recording) {
  for (const ProgramPart& part : program.parts) {
    part_spans_.emplace_back(part, program.issues_in_slots());
    contended_within_.push_back(contended_within(part.graph));
  }
  for (const ClassRecord& of : recording.ranks) {
    const Time end = part_spans_[of.part].own_end(of.operations, of.last_finish);
    if (end <= step_) continue;
    step_ = end;
    last_rank_ = of.last_rank;
  }
}

std::vector<Span> RankSpans::spans(const ClassRecord& of) const {
  std::vector<Span> spans = part_spans_[of.part].of(of.operations, of.finish);
  if (recording_.without_communication) find_bubbles(of, spans);
  return spans;
}

// A wait for an operation is bubble as far as the rank would wait for that operation without communication,
// too. It may then wait for others than it does here: as far as it would wait longer than that altogether,
// all waits are bubble in proportion.
void RankSpans::find_bubbles(const ClassRecord& of, std::vector<Span>& spans) const {
  const ZeroCommunicationRun& free = *recording_.without_communication;
  const std::size_t index = free.index_of(of.of_class, of.part);
  std::vector<Time> free_waits(of.operations.size());  // by operation
  Time would_wait, waits, bubble;
  for (const Span& span :
       part_spans_[of.part].of(free.operations[index], free.finish[index], PartSpans::Communication::free)) {
    if (span.spent != Spent::wait) continue;
    free_waits[span.operation] += span.length();
    would_wait += span.length();
  }
  if (would_wait == Time()) return;
  for (Span& span : spans) {
    if (span.spent != Spent::wait) continue;
    waits += span.length();
    span.bubble = std::min(span.length(), free_waits[span.operation]);
    free_waits[span.operation] -= span.bubble;
    bubble += span.bubble;
  }
  spread_bubble(std::min(would_wait, waits) - bubble, spans);
}

TimeParts RankSpans::parts(const ClassRecord& of, std::span<const Span> spans) const {
  TimeParts parts;
  for (const Span& span : spans) {
    if (span.computes()) parts.compute += span.length();
    if (span.spent == Spent::host) parts.host += span.length();
    if (span.spent == Spent::memory) parts.memory += span.length();
    if (span.spent == Spent::update) parts.update += span.length();
    parts.bubble += span.bubble;
    parts.exposed += span.exposed();
  }
  parts.contention = of.contended + contended_within_[of.part];
  parts.idle = step_ - part_spans_[of.part].own_end(of.operations, of.finish);
  return parts;
}

}  // namespace orrery::core
