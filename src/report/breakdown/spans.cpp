#include "report/breakdown/spans.hpp"

#include <algorithm>
#include <utility>

namespace orrery::core {

namespace {

using Id = ExecutionGraph::Id;

// Adds a span unless it is empty.
void add(std::vector<Span>& spans, Spent spent, Id id, std::uint32_t communicator, const Interval& interval) {
  if (interval.start < interval.end) spans.push_back({spent, id, communicator, interval, Time()});
}

}  // namespace

PartSpans::PartSpans(const ProgramPart& part, bool in_slots) : part_(part), in_slots_(in_slots) {
  if (in_slots) return;
  const ExecutionGraph& graph = part.graph;
  auto id = static_cast<Id>(graph.size() - 1);
  while (id > 0 && graph.kind(id) != OperationKind::end) --id;
  for (; !graph.predecessors(id).empty(); id = graph.predecessors(id)[0]) program_order_.push_back(id);
  std::ranges::reverse(program_order_);
}

Time PartSpans::hidden_at_end(const std::vector<Interval>& operations) const {
  if (!part_.hides_end) return {};
  const auto& [first, last] = *part_.hides_end;
  return operations[last].end - operations[first].start;
}

Time PartSpans::own_end(const std::vector<Interval>& operations, Time finish) const {
  if (!part_.hides_end) return finish;
  const Id before_end = part_.graph.predecessors(program_order_.back())[0];
  return std::max(operations[before_end].end, finish - hidden_at_end(operations));
}

std::vector<Span> PartSpans::of(const std::vector<Interval>& operations, Time finish,
                                Communication communication) const {
  std::vector<Span> spans;
  spans.reserve(in_slots_ ? 0 : program_order_.size());
  if (in_slots_)
    add_by_moments(operations, finish, spans);
  else
    add_in_order(operations, communication, spans);
  return spans;
}

// Between one operation in the order of the program and the next one, the rank waits for what else the next
// one follows.
void PartSpans::add_in_order(const std::vector<Interval>& operations, Communication communication,
                             std::vector<Span>& spans) const {
  const ExecutionGraph& graph = part_.graph;
  const Time hidden = hidden_at_end(operations);
  for (const Id id : program_order_) {
    const auto predecessors = graph.predecessors(id);
    Time since = operations[predecessors[0]].end;
    if (graph.kind(id) == OperationKind::end) since += hidden;
    if (predecessors.size() > 1 && since < operations[id].start) add_waits(id, since, operations, spans);
    add_operation(id, operations[id], communication, spans);
  }
}

// Each of the awaited operations is charged for the time in which it is the next to end. Launches by the host
// count only where they outlast everything else.
void PartSpans::add_waits(Id id, Time since, const std::vector<Interval>& operations,
                          std::vector<Span>& spans) const {
  const auto predecessors = part_.graph.predecessors(id);
  if (predecessors.size() == 2)
    return add_wait(predecessors[1], {since, operations[id].start}, operations, spans);
  std::vector<Id> awaited(predecessors.begin() + 1, predecessors.end());
  std::ranges::stable_sort(awaited, {},
                           [&](Id one) { return std::pair(stands_for_host(one), operations[one].end); });
  for (const Id one : awaited) {
    const Time end = operations[one].end;
    if (end <= since) continue;
    add_wait(one, {since, end}, operations, spans);
    since = end;
  }
}

// Returns whether the operation stands for the host, which launches operators. Other transitions follow
// collectives, and stand for the last block of them.
bool PartSpans::stands_for_host(Id id) const {
  const ExecutionGraph& graph = part_.graph;
  return graph.kind(id) == OperationKind::transition && !graph.is_background(id) &&
         graph.kind(graph.predecessors(id)[0]) != OperationKind::collective;
}

void PartSpans::add_wait(Id awaited, const Interval& interval, const std::vector<Interval>& operations,
                         std::vector<Span>& spans) const {
  const ExecutionGraph& graph = part_.graph;
  const bool background = graph.is_background(awaited);
  switch (graph.kind(awaited)) {
    case OperationKind::collective: {
      // What comes after the collective before it counts as complete is an update.
      const Time updates_from = operations[awaited].end - graph.delay(awaited);
      const Time until = std::clamp(updates_from, interval.start, interval.end);
      add(spans, Spent::wait, awaited, graph.collective(awaited).communicator, {interval.start, until});
      add(spans, Spent::update, awaited, no_communicator, {until, interval.end});
      return;
    }
    case OperationKind::compute:
      if (background) break;
      add(spans, spent_on(awaited), awaited, no_communicator, interval);
      return;
    case OperationKind::transition: {
      if (background) break;
      if (stands_for_host(awaited)) return add(spans, Spent::host, awaited, no_communicator, interval);
      const Id collective = graph.predecessors(awaited)[0];
      return add(spans, Spent::wait, collective, graph.collective(collective).communicator, interval);
    }
    default:
      break;
  }
  add(spans, Spent::wait, awaited, no_communicator, interval);
}

Spent PartSpans::spent_on(Id id) const {
  const ExecutionGraph& graph = part_.graph;
  switch (graph.kind(id)) {
    case OperationKind::compute:
      if (graph.updates(id)) return Spent::update;
      return graph.slot(id) == Slot::host ? Spent::host : Spent::device;
    case OperationKind::load:
    case OperationKind::store:
      return Spent::memory;
    case OperationKind::collective:
    case OperationKind::send:
    case OperationKind::receive:
      return Spent::wait;
    default:
      return Spent::step;
  }
}

// What a computation waits for within comes behind what it computes.
void PartSpans::add_operation(Id id, const Interval& interval, Communication communication,
                              std::vector<Span>& spans) const {
  if (interval.start >= interval.end) return;
  const ExecutionGraph& graph = part_.graph;
  const Spent spent = spent_on(id);
  if (spent == Spent::wait) {
    return add(spans, spent, id, group_of(id), interval);
  }
  if (communication == Communication::free) return add(spans, spent, id, no_communicator, interval);
  Time waits;
  for (const WaitWithin& wait : graph.waits_within_of(id)) waits += wait.time;
  Time at = std::max(interval.start, interval.end - waits);
  add(spans, spent, id, no_communicator, {interval.start, at});
  for (const WaitWithin& wait : graph.waits_within_of(id)) {
    const Time end = std::min(interval.end, at + wait.time);
    add(spans, Spent::wait, id, wait.communicator, {at, end});
    at = end;
  }
}

namespace {

// Describes something that is under way for a time.
struct UnderWay {
  Time start, end;
  Id id;
  Spent spent;

  // In a moment, updates count as much as what else the device computes.
  Spent precedence() const { return spent == Spent::update ? Spent::device : spent; }
  bool goes_before(const UnderWay& other) const {
    if (precedence() != other.precedence()) return precedence() < other.precedence();
    return end != other.end ? end < other.end : id < other.id;
  }
};

// Goes through the moments of a rank. Few things are under way at a time, so they are searched one by one.
class Moments {
 public:
  explicit Moments(std::vector<UnderWay> by_start) : by_start_(std::move(by_start)) {
    const auto starts_before = [](const UnderWay& a, const UnderWay& b) { return a.start < b.start; };
    if (!std::ranges::is_sorted(by_start_, starts_before)) std::ranges::stable_sort(by_start_, starts_before);
  }

  // Returns what goes before all else at that moment; null where nothing is under way. Moments have to come
  // one after the other.
  const UnderWay* at(Time now) {
    if (is_alone(now)) return &by_start_[next_++];
    const UnderWay* first = nullptr;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < present_.size(); ++i) {
      const UnderWay* const one = present_[i];
      if (one->end <= now) continue;
      present_[kept++] = one;
      if (!first || one->goes_before(*first)) first = one;
    }
    present_.resize(kept);
    for (; next_ < by_start_.size() && by_start_[next_].start <= now; ++next_) {
      const UnderWay& one = by_start_[next_];
      if (one.end <= now) continue;
      present_.push_back(&one);
      if (!first || one.goes_before(*first)) first = &one;
    }
    return first;
  }
  // Returns when the next thing starts, or `last` if that is earlier.
  Time next_start(Time last) const {
    return next_ < by_start_.size() ? std::min(last, by_start_[next_].start) : last;
  }

 private:
  // Returns whether the next thing is all that is under way until it ends, as most are.
  bool is_alone(Time now) const {
    if (!present_.empty() || next_ == by_start_.size()) return false;
    const UnderWay& one = by_start_[next_];
    return one.start <= now && now < one.end &&
           (next_ + 1 == by_start_.size() || by_start_[next_ + 1].start >= one.end);
  }

  std::vector<UnderWay> by_start_;
  std::size_t next_ = 0;
  std::vector<const UnderWay*> present_;
};

}  // namespace

// At each moment the rank spends its time on what is under way there: on its device if that computes, else on
// its host, else on memory, and else it waits. Of several such things it is the next one to end.
void PartSpans::add_by_moments(const std::vector<Interval>& operations, Time finish,
                               std::vector<Span>& spans) const {
  const ExecutionGraph& graph = part_.graph;
  std::vector<UnderWay> takes_time;
  takes_time.reserve(graph.size());
  for (Id id = 0; id < graph.size(); ++id) {
    if (operations[id].start >= operations[id].end) continue;
    const Spent spent = spent_on(id);
    if (spent != Spent::step) takes_time.push_back({operations[id].start, operations[id].end, id, spent});
  }
  spans.reserve(takes_time.size());
  Moments moments(std::move(takes_time));
  for (Time now; now < finish;) {
    const UnderWay* const first = moments.at(now);
    const Time until = first ? std::min(moments.next_start(finish), first->end) : moments.next_start(finish);
    if (!first)
      add(spans, Spent::step, 0, no_communicator, {now, until});
    else if (!spans.empty() && spans.back().operation == first->id && spans.back().interval.end == now &&
             spans.back().spent != Spent::step)
      spans.back().interval.end = until;
    else
      add(spans, first->spent, first->id, group_of(first->id), {now, until});
    now = until;
  }
}

// Returns the group of a collective that is carried out; none of other operations.
std::uint32_t PartSpans::group_of(Id id) const {
  const ExecutionGraph& graph = part_.graph;
  const bool is_carried_out = graph.kind(id) == OperationKind::collective && !graph.is_timed(id);
  return is_carried_out ? graph.collective(id).communicator : no_communicator;
}

}  // namespace orrery::core
