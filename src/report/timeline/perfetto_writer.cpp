#include "report/timeline/perfetto_writer.hpp"

#include <type_traits>
#include <utility>
#include <variant>

#include "base/encoding/protobuf_writer.hpp"

namespace orrery::core {

using protobuf::put_bytes;
using protobuf::put_double;
using protobuf::put_fixed64;
using protobuf::put_number;

namespace {

// Numbers of fields and values in Perfetto's protos (protos/perfetto/trace), by message.
namespace trace {
constexpr std::uint32_t packet = 1;
}
namespace packet {
constexpr std::uint32_t timestamp = 8, sequence = 10, track_event = 11, interned_data = 12,
                        sequence_flags = 13, track_descriptor = 60;
constexpr std::uint64_t state_cleared = 1, needs_state = 2;  // flags
}  // namespace packet
namespace descriptor {
constexpr std::uint32_t uuid = 1, name = 2, process = 3, parent = 5, counter = 8, child_ordering = 11,
                        place = 12;
constexpr std::uint64_t explicit_ordering = 3;
}  // namespace descriptor
namespace process {
constexpr std::uint32_t pid = 1, place = 3, name = 6;
}
namespace counter {
constexpr std::uint32_t unit = 3, unit_name = 6;
constexpr std::uint64_t unit_bytes = 3;
}  // namespace counter
namespace event {
constexpr std::uint32_t category = 3, annotation = 4, type = 9, name = 10, track = 11, text = 23, value = 44,
                        flow = 47;
constexpr std::uint64_t begin = 1, end = 2, counter = 4;  // types
}  // namespace event
namespace annotation {
constexpr std::uint32_t name = 1, boolean = 2, unsigned_integer = 3, integer = 4, real = 5, text = 6;
}
namespace interned {
constexpr std::uint32_t categories = 1, event_names = 2, annotation_names = 3, number = 1, name = 2;
}

constexpr std::uint64_t only_sequence = 1;

std::uint64_t bits(std::int64_t number) {
  return static_cast<std::uint64_t>(number);
}

std::string event_of(std::uint64_t type, std::uint64_t track) {
  std::string out;
  put_number(out, event::type, type);
  put_number(out, event::track, track);
  return out;
}

void put_value(std::string& out, const Cell& cell) {
  std::visit(
      [&out](const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>)
          put_number(out, annotation::boolean, value ? 1 : 0);
        else if constexpr (std::is_same_v<Value, std::int64_t>)
          put_number(out, annotation::integer, bits(value));
        else if constexpr (std::is_same_v<Value, std::uint64_t>)
          put_number(out, annotation::unsigned_integer, value);
        else if constexpr (std::is_same_v<Value, Real>)
          put_double(out, annotation::real, value.value);
        else if constexpr (std::is_same_v<Value, Time>)
          put_number(out, annotation::integer, bits(value.ps()));
        else if constexpr (std::is_same_v<Value, Bytes>)
          put_number(out, annotation::unsigned_integer, value.count());
        else if constexpr (!std::is_same_v<Value, std::monostate>)
          put_bytes(out, annotation::text, value);
      },
      cell.value());
}

}  // namespace

PerfettoWriter::PerfettoWriter(FileWriter& file)
    : file_(file),
      event_names_(interned::event_names),
      categories_(interned::categories),
      annotation_names_(interned::annotation_names) {}

std::uint64_t PerfettoWriter::Names::number(std::string_view name, std::string& interned) {
  constexpr std::size_t max_names = 100'000;
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  if (numbers_.size() == max_names) return 0;
  const std::uint64_t number = numbers_.emplace(name, numbers_.size() + 1).first->second;
  std::string entry;
  put_number(entry, interned::number, number);
  put_bytes(entry, interned::name, name);
  put_bytes(interned, field_, entry);
  return number;
}

PerfettoWriter::Track PerfettoWriter::add_process(std::string_view name) {
  ++processes_;  // pid 0 is an idle processor's
  std::string described, of_process;
  put_number(of_process, process::pid, bits(processes_));
  put_number(of_process, process::place, bits(processes_));
  put_bytes(of_process, process::name, name);
  put_bytes(described, descriptor::process, of_process);
  put_number(described, descriptor::child_ordering, descriptor::explicit_ordering);
  return add_track(0, {}, described);
}

PerfettoWriter::Track PerfettoWriter::add_track(Track process, std::string_view name, std::int32_t place) {
  std::string described;
  put_number(described, descriptor::place, bits(place));
  return add_track(process, name, described);
}

PerfettoWriter::Track PerfettoWriter::add_counter(Track process, std::string_view name,
                                                  TimelineCounter::Unit unit) {
  std::string described, of_counter;
  if (unit == TimelineCounter::Unit::bytes)
    put_number(of_counter, counter::unit, counter::unit_bytes);
  else
    put_bytes(of_counter, counter::unit_name, "%");
  put_bytes(described, descriptor::counter, of_counter);
  return add_track(process, name, described);
}

PerfettoWriter::Track PerfettoWriter::add_track(Track parent, std::string_view name,
                                                std::string_view described) {
  std::string track(described), out;
  put_number(track, descriptor::uuid, ++tracks_);
  if (parent != 0) put_number(track, descriptor::parent, parent);
  if (!name.empty()) put_bytes(track, descriptor::name, name);
  put_bytes(out, packet::track_descriptor, track);
  put_packet(std::move(out));
  return tracks_;
}

void PerfettoWriter::add(Track track, const TimelineSlice& slice) {
  std::string begin = event_of(event::begin, track), interned;
  if (const std::uint64_t number = event_names_.number(slice.name, interned))
    put_number(begin, event::name, number);
  else
    put_bytes(begin, event::text, slice.name);
  put_number(begin, event::category, categories_.number(words_of(slice.stream).category, interned));
  annotate(begin, "start_ps", slice.interval.start, interned);
  annotate(begin, "duration_ps", slice.interval.end - slice.interval.start, interned);
  for (const auto& [name, cell] : slice.facts) annotate(begin, name, cell, interned);
  for (const std::uint64_t arrow : slice.arrows) put_fixed64(begin, event::flow, arrow);
  // A receive may begin long before its message is sent, and an arrow goes from the earlier of its ends.
  std::string end = event_of(event::end, track);
  if (slice.message) put_fixed64(slice.stream == Stream::receive ? end : begin, event::flow, *slice.message);
  put_event(slice.interval.start, begin, interned);
  put_event(slice.interval.end, end, {});
}

void PerfettoWriter::add(Track counter, Time time, double value) {
  std::string out = event_of(event::counter, counter);
  put_double(out, event::value, value);
  put_event(time, out, {});
}

void PerfettoWriter::annotate(std::string& event, std::string_view name, const Cell& cell,
                              std::string& interned) {
  std::string out;
  put_number(out, annotation::name, annotation_names_.number(name, interned));
  put_value(out, cell);
  put_bytes(event, event::annotation, out);
}

void PerfettoWriter::put_event(Time time, std::string_view event, std::string_view interned) {
  std::string out;
  put_number(out, packet::timestamp, bits(time.whole_ns()));
  if (!interned.empty()) put_bytes(out, packet::interned_data, interned);
  put_bytes(out, packet::track_event, event);
  put_packet(std::move(out));
}

void PerfettoWriter::put_packet(std::string packet) {
  put_number(packet, packet::sequence, only_sequence);
  put_number(packet, packet::sequence_flags,
             std::exchange(begun_, true) ? packet::needs_state : packet::state_cleared);
  std::string out;
  put_bytes(out, trace::packet, packet);
  file_.append(out);
}

}  // namespace orrery::core
