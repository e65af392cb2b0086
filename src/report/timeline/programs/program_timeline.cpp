#include "report/timeline/programs/program_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "network/link_history.hpp"
#include "report/breakdown/rank_spans.hpp"
#include "report/statistics/statistics.hpp"
#include "report/timeline/arrows.hpp"
#include "report/timeline/timeline.hpp"

namespace orrery::core {

namespace {

using Unit = TimelineCounter::Unit;

// Returns a counter with a value for each interval, and none behind the last.
TimelineCounter counter_of(std::string name, Unit unit, Time interval, const auto& items,
                           const auto& value_of) {
  TimelineCounter counter{std::move(name), unit, {}};
  for (const auto& item : items)
    counter.values.emplace_back(interval * static_cast<std::int64_t>(counter.values.size()), value_of(item));
  counter.values.emplace_back(interval * static_cast<std::int64_t>(counter.values.size()), 0);
  return counter;
}

// Shows what links carry and switches hold over time, as counters of a timeline: adds a process for links and
// one for switches, where the history has any.
void add_counters(const LinkHistory& history, TimelineSink& sink) {
  constexpr double percent = 100;
  if (!history.links.empty()) sink.begin({"links"});
  for (const LinkSeries& link : history.links) {
    const std::string name = fmt::format("{} to {}", link.from, link.to);
    const double most = history.interval.ns() * link.bytes_per_ns;
    sink.add(counter_of(name + ", use", Unit::percent, history.interval, link.bytes,
                        [&](double bytes) { return bytes / most * percent; }));
    if (!link.packets.empty())
      sink.add(counter_of(name + ", longest queue", Unit::bytes, history.interval, link.packets,
                          [](const PacketInterval& of) { return static_cast<double>(of.longest_queue); }));
  }
  if (!history.switches.empty()) sink.begin({"switches"});
  for (const SwitchSeries& of : history.switches)
    sink.add(counter_of(of.name + ", most held", Unit::bytes, history.interval, of.held,
                        [](const HeldInInterval& held) { return static_cast<double>(held.peak); }));
}

using Id = ExecutionGraph::Id;

// Returns when the training steps of a part end. The last one lasts until the last rank is ready for the
// next.
std::vector<Time> step_ends(const ProgramPart& part, const std::vector<Interval>& operations, Time last) {
  std::vector<Time> ends = iteration_ends(part.graph, operations);
  if (ends.empty()) ends.emplace_back();
  std::ranges::sort(ends);
  ends.back() = std::max(ends.back(), last);
  return ends;
}

// Returns the stream of an operation that is drawn; none of others.
std::optional<Stream> stream_of(const Operation& operation, const Interval& interval) {
  switch (operation.kind) {
    case OperationKind::compute:
      if (operation.slot == Slot::host) return Stream::host;
      return operation.background ? Stream::background : Stream::compute;
    case OperationKind::load:
    case OperationKind::store:
      return Stream::memory;
    case OperationKind::collective:
      return Stream::collective;
    case OperationKind::send:
      return Stream::send;
    case OperationKind::receive:
      return Stream::receive;
    case OperationKind::transition:
      return interval.end > interval.start ? std::optional(Stream::transition) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// The slices of one part or rank, with arrows to and from collectives, from a received message to the
// operation that waits for it, and from a send to its receive.
class PartSlices {
 public:
  // `number` is the number of the part or rank that names it in messages.
  PartSlices(const Program& program, const ProgramPart& part, std::uint32_t number, const ClassRecord& record,
             const PassWords& passes, MessageArrows& messages)
      : program_(program),
        number_(number),
        part_(part),
        record_(record),
        operations_(record.operations),
        passes_(passes),
        messages_(messages),
        is_shown_(part_.graph.size()),
        left_out_from_(static_cast<Id>(part_.graph.size())),
        arrows_(number_) {}

  void add_to(TimelineSink& sink, TimelineLimit& limit) {
    std::vector<Id> shown;
    for (Id id = 0; id < part_.graph.size(); ++id) {
      if (!stream_of(part_.graph[id], operations_[id])) continue;
      if (!limit.take()) {
        left_out_from_ = std::min(left_out_from_, id);
        continue;
      }
      shown.push_back(id);
      is_shown_[id] = true;
    }
    for (const Id id : shown) add_arrows(id);
    std::ranges::stable_sort(shown, {}, [&](Id id) { return operations_[id].start; });
    arrows_.sort();
    for (const Id id : shown) sink.add(slice_of(id));
    if (program_.issues_in_slots()) return;  // ranks that compute beside what they wait for
    for (const Span& wait : waits()) sink.add(slice_of(wait));
  }

 private:
  // Returns the waits of the program, before anything is left out. What is received has slices of its own,
  // and what a computation waits for within is a part of its slice.
  std::vector<Span> waits() const {
    std::vector<Span> waits = PartSpans(part_, false).of(operations_, record_.finish);
    std::erase_if(waits, [&](const Span& span) {
      const OperationKind kind = part_.graph.kind(span.operation);
      const bool has_slice = kind == OperationKind::receive ||
                             (kind == OperationKind::compute && !part_.graph.is_background(span.operation));
      return span.spent != Spent::wait || has_slice || span.operation >= left_out_from_;
    });
    return waits;
  }

  // The first predecessor of an operation of a program in order is the one before it there.
  void add_arrows(Id id) {
    const auto predecessors = part_.graph.predecessors(id);
    const bool in_order = !part_.graph.is_named();
    for (std::size_t i = 0; i < predecessors.size(); ++i) {
      const OperationKind from = part_.graph.kind(predecessors[i]), to = part_.graph.kind(id);
      const bool awaited = from == OperationKind::collective || (in_order && from == OperationKind::receive);
      const bool issues = to == OperationKind::collective;
      if (!in_order ? awaited || issues : i == 0 ? issues : awaited) add_arrow(predecessors[i], id);
    }
  }

  void add_arrow(Id from, Id to) {
    if (is_shown_[from]) arrows_.add(from, to);
  }

  TimelineSlice slice_of(Id id) {
    const TimelineRow row = row_of(program_, part_, operations_, id, passes_);
    TimelineSlice slice;
    slice.stream = *stream_of(row.operation, row.interval);
    slice.name = row.name();
    slice.interval = row.interval;
    add_facts(slice.facts, timeline_table, row);
    add_facts(slice.facts, timeline_fact_table, row);
    slice.arrows = arrows_.of(id);
    if (row.is_collective() || row.is_message())
      slice.communication = {row.collective(), row.bytes(), row.group(), row.group_size()};
    slice.message = message_of(row.operation, number_, messages_);
    return slice;
  }

  TimelineSlice slice_of(const Span& wait) const {
    const TimelineRow row = row_of(program_, part_, operations_, wait.operation, passes_);
    TimelineSlice slice;
    slice.stream = Stream::wait;
    slice.name = "for " + row.name();
    slice.interval = wait.interval;
    add_facts(slice.facts, timeline_table, row);
    add_facts(slice.facts, timeline_fact_table, row);
    return slice;
  }

  const Program& program_;
  const std::uint32_t number_;
  const ProgramPart& part_;
  const ClassRecord& record_;
  const std::vector<Interval>& operations_;
  const PassWords& passes_;
  MessageArrows& messages_;
  std::vector<bool> is_shown_;
  Id left_out_from_;  // behind the last operation where none is
  Arrows arrows_;
};

}  // namespace

TimelineLimit ProgramTimeline::describe(TimelineSink& sink) const {
  MessageArrows messages;
  const std::vector<PartMemory> memory = memory_ ? memory_() : std::vector<PartMemory>();
  std::size_t ranks = 0;
  for (const ProgramPart& part : program_.parts) ranks += part.size();
  if (program_.issues_in_slots()) {
    TimelineLimit limit(recording_.ranks.size(), sink.max_slices());
    for (const ClassRecord& record : recording_.ranks) {
      limit.begin_part();
      sink.begin({"", record.rank, record.ranks, ranks, {record.finish}});
      PartSlices(program_, program_.parts[record.part], record.rank.value(), record, passes_, messages)
          .add_to(sink, limit);
      if (record.of_class.index() < memory.size()) add_memory_counters(memory[record.of_class.index()], sink);
      add_counters_of(record.rank, sink);
    }
    add_counters(recording_.link_history, sink);
    return limit;
  }
  TimelineLimit limit(program_.parts.size(), sink.max_slices());
  const Time end = RankSpans(program_, recording_).step();
  for (std::size_t i = 0; i < program_.parts.size(); ++i) {
    const ProgramPart& part = program_.parts[i];
    limit.begin_part();
    sink.begin({part.name, part.lowest_rank(), part.size(), ranks,
                step_ends(part, recording_.lowest_of(i).operations, end)});
    PartSlices(program_, part, static_cast<std::uint32_t>(i), recording_.lowest_of(i), passes_, messages)
        .add_to(sink, limit);
    if (i < memory.size()) add_memory_counters(memory[i], sink);
  }
  add_counters(recording_.link_history, sink);
  return limit;
}

TimelineLimit ProgramTimeline::write_rows(RowSink& sink) const {
  sink.begin(timeline_table);
  if (program_.issues_in_slots()) return write_rows_of_slots(sink);
  TimelineLimit limit(program_.parts.size());
  MessageArrows messages;
  SmallNumbers numbers;
  for (std::size_t i = 0; i < program_.parts.size(); ++i) {
    const ProgramPart& part = program_.parts[i];
    limit.begin_part();
    for (Id id = 0; id < part.graph.size(); ++id) {
      if (!has_row(part.graph.kind(id)) || !limit.take()) continue;
      TimelineRow row = row_of(program_, part, recording_.lowest_of(i).operations, id, passes_);
      if (const auto arrow = message_of(row.operation, static_cast<std::uint32_t>(i), messages))
        row.message = numbers.of(*arrow);
      sink.add(timeline_table, row);
    }
  }
  return limit;
}

// Every class of ranks is recorded there. The class of each part's lowest rank is written.
TimelineLimit ProgramTimeline::write_rows_of_slots(RowSink& sink) const {
  TimelineLimit limit(program_.parts.size());
  MessageArrows messages;
  SmallNumbers numbers;
  for (const ProgramPart& part : program_.parts) {
    const RankId rank = part.lowest_rank();
    const std::vector<Interval>& operations = recording_.operations_of(rank);
    const std::vector<std::uint32_t> message =
        numbers_of_messages(rank, part.graph, operations, messages, numbers);
    limit.begin_part();
    for (Id id = 0; id < part.graph.size(); ++id) {
      if (!has_row(part.graph.kind(id)) || !limit.take()) continue;
      TimelineRow row = row_of(program_, part, operations, id, passes_);
      const std::string node = row.name();
      row.layer = node;
      row.message = message[id];
      sink.add(timeline_table, row);
    }
  }
  return limit;
}

}  // namespace orrery::core
