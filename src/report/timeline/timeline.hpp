// Describes what happens in a run over time, in a form from which every format of a timeline can be made. A
// kind of run describes itself by a Timeline, a format takes that in by a TimelineSink, and neither knows the
// other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units/bytes.hpp"
#include "base/units/rank_id.hpp"
#include "report/table/row_sink.hpp"
#include "report/timeline/timeline_limit.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

// Who does something in a process. Each stream is a row of a drawn timeline.
enum class Stream : std::uint8_t {
  compute,
  wait,  // of the program, which does nothing else
  collective,
  send,
  receive,
  memory,      // loads and stores
  host,        // work of the CPU
  transition,  // time between states of a program and for launches, in which nobody computes
  background,  // compute beside the program, such as a parameter server's
};

struct StreamWords {
  std::string_view category, row;
};
inline constexpr std::array<StreamWords, 9> stream_words{{
    {"compute", "computes"},
    {"wait", "waits"},
    {"collective", "collectives"},
    {"send", "sends"},
    {"receive", "receives"},
    {"memory", "memory accesses"},
    {"host", "host"},
    {"transition", "transitions"},
    {"background", "computes in the background"},
}};
constexpr const StreamWords& words_of(Stream stream) {
  return stream_words[static_cast<std::size_t>(stream)];
}

// A rank that stands for all ranks that do the same, or a part of the machine.
struct TimelineProcess {
  std::string name;
  std::optional<RankId> rank = {};  // none: it is no rank
  std::size_t ranks = 1;            // number of ranks that do the same
  std::size_t all_ranks = 1;        // number of ranks of the run
  // Ends of training steps, each of which begins where the last one ended.
  std::vector<Time> step_ends = {};
};

// Facts about one slice: names with values.
using TimelineFacts = std::vector<std::pair<std::string_view, Cell>>;

// Adds the cells of a row that its table has for JSON. Empty cells are left out.
template <class Row>
void add_facts(TimelineFacts& facts, Table<Row> table, const Row& row) {
  for (const Column<Row>& column : table) {
    if (!column.in(Form::json)) continue;
    Cell cell = column.cell(row);
    if (!cell.is_empty()) facts.emplace_back(column.name, std::move(cell));
  }
}

// The ranks among which a collective or message is.
struct TimelineCommunication {
  std::string_view kind;  // kind of a collective, such as "all-reduce"
  Bytes bytes;
  std::string_view group;
  std::size_t group_size = 0;  // 0: not known
};

// A slice is something that takes time.
struct TimelineSlice {
  Stream stream = Stream::compute;
  std::string name;
  Interval interval;
  TimelineFacts facts = {};
  std::optional<TimelineCommunication> communication = {};  // for collectives, sends and receives
  // Numbers of arrows from or to other slices of the process. The slice that begins earlier has the tail. No
  // message has such a number.
  std::vector<std::uint64_t> arrows = {};
  std::optional<std::uint64_t> message = {};  // number of the message that it sends or receives
};

// A quantity that changes now and then.
struct TimelineCounter {
  enum class Unit : std::uint8_t { bytes, percent };

  std::string name;
  Unit unit = Unit::bytes;
  std::vector<std::pair<Time, double>> values;  // values from each time on
};

// Whatever is added belongs to the process that was begun last.
class TimelineSink {
 public:
  virtual ~TimelineSink() = default;
  virtual void begin(const TimelineProcess& process) = 0;
  // Slices of a stream have to come in the order of their starts; they may overlap.
  virtual void add(const TimelineSlice& slice) = 0;
  virtual void add(const TimelineCounter& counter) = 0;
  // Returns roughly the most slices that it takes.
  virtual std::size_t max_slices() const { return TimelineLimit::max_operations; }
};

class Timeline {
 public:
  virtual ~Timeline() = default;
  // Return what was left out, because a timeline has a limited length.
  virtual TimelineLimit describe(TimelineSink& sink) const = 0;
  // Writes a table with a line per operation. Each kind of run has a name and columns of its own for it.
  virtual TimelineLimit write_rows(RowSink& sink) const = 0;
  virtual std::string_view csv_name() const = 0;
};

}  // namespace orrery::core
