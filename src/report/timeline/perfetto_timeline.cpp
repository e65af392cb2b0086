// timeline.pftrace: a process for each part or rank, with a track for each of its streams and more where
// slices of a stream overlap.
#include <fmt/format.h>

#include <array>

#include "report/timeline/lanes.hpp"
#include "report/timeline/perfetto_writer.hpp"
#include "report/timeline/timeline_formats.hpp"

namespace orrery::core {

namespace {

constexpr const char* file_name = "timeline.pftrace";

// Returns "stage 0: NPU 0 of 16 that do the same".
std::string title_of(const TimelineProcess& process) {
  if (!process.rank) return process.name;
  std::string title = process.name.empty() ? "" : process.name + ": ";
  title += fmt::format("NPU {}", process.rank->value());
  return process.ranks > 1 ? title + fmt::format(" of {} that do the same", process.ranks) : title;
}

class PerfettoSink : public TimelineSink {
 public:
  explicit PerfettoSink(FileWriter& file) : writer_(file) {}

  void begin(const TimelineProcess& process) override {
    process_ = writer_.add_process(title_of(process));
    streams_ = {};
  }

  void add(const TimelineSlice& slice) override {
    OfStream& stream = streams_[static_cast<std::size_t>(slice.stream)];
    const std::size_t lane = stream.lanes.place(slice.interval);
    if (lane == stream.tracks.size()) stream.tracks.push_back(track_of(slice.stream, lane));
    writer_.add(stream.tracks[lane], slice);
  }

  void add(const TimelineCounter& counter) override {
    const PerfettoWriter::Track track = writer_.add_counter(process_, counter.name, counter.unit);
    for (const auto& [time, value] : counter.values) writer_.add(track, time, value);
  }

 private:
  struct OfStream {
    Lanes lanes;
    std::vector<PerfettoWriter::Track> tracks;  // by lane
  };

  PerfettoWriter::Track track_of(Stream stream, std::size_t lane) {
    const std::string_view row = words_of(stream).row;
    const std::size_t place = static_cast<std::size_t>(stream) * TimelineLimit::max_operations + lane;
    return writer_.add_track(process_, lane == 0 ? std::string(row) : fmt::format("{} {}", row, lane + 1),
                             static_cast<std::int32_t>(place));
  }

  PerfettoWriter writer_;
  PerfettoWriter::Track process_ = 0;
  std::array<OfStream, stream_words.size()> streams_;
};

}  // namespace

const TimelineFormat perfetto_timeline{
    .write =
        [](const Timeline& timeline, const std::string& prefix, Warnings& warnings) {
          FileWriter file(prefix + file_name);
          PerfettoSink sink(file);
          const TimelineLimit limit = timeline.describe(sink);
          file.finish();
          limit.warn(prefix + file_name, warnings);
        },
    .files = [](const std::string& prefix) { return std::vector<std::string>{prefix + file_name}; }};

}  // namespace orrery::core
