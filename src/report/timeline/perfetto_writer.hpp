// Writes a trace in Perfetto's protobuf format, which ui.perfetto.dev and the trace processor read.
//
// A trace is a series of packets, so it can be written piece by piece. Names are written once, and referred
// to by number from then on. Perfetto counts in nanoseconds, so times are cut to these, and a slice has the
// exact times as annotations.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/files/file_writer.hpp"
#include "report/timeline/timeline.hpp"

namespace orrery::core {

class PerfettoWriter {
 public:
  explicit PerfettoWriter(FileWriter& file);

  using Track = std::uint64_t;
  // Processes stand in the order in which they come, and so do the tracks of each.
  Track add_process(std::string_view name);
  Track add_track(Track process, std::string_view name, std::int32_t place);
  Track add_counter(Track process, std::string_view name, TimelineCounter::Unit unit);

  // Slices of a track have to come in the order of their starts, and must not overlap.
  void add(Track track, const TimelineSlice& slice);
  void add(Track counter, Time time, double value);

 private:
  // Names of one kind, with the number of each.
  class Names {
   public:
    explicit Names(std::uint32_t field) : field_(field) {}
    // Returns the name's number, and adds it to the interned data where it is new. Returns 0 where there are
    // too many names to remember, as in traces whose nodes have names of their own.
    std::uint64_t number(std::string_view name, std::string& interned);

   private:
    std::uint32_t field_;  // field of the interned data
    std::map<std::string, std::uint64_t, std::less<>> numbers_;
  };

  Track add_track(Track parent, std::string_view name, std::string_view described);
  void annotate(std::string& event, std::string_view name, const Cell& cell, std::string& interned);
  void put_event(Time time, std::string_view event, std::string_view interned);
  void put_packet(std::string packet);

  FileWriter& file_;
  Track tracks_ = 0;
  std::int32_t processes_ = 0;
  bool begun_ = false;
  Names event_names_, categories_, annotation_names_;
};

}  // namespace orrery::core
