// timeline.kineto/rank<N>.pt.trace.json: a file for each rank that stands for others, as the PyTorch profiler
// writes one for each rank. On the device it has a stream for each kind of work, and more where slices of a
// kind overlap.
#include <fmt/format.h>
#include <filesystem>

#include <array>
#include <memory>

#include "report/stored/result_files.hpp"
#include "report/timeline/kineto_writer.hpp"
#include "report/timeline/lanes.hpp"
#include "report/timeline/timeline_formats.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_start = "rank", name_end = ".pt.trace.json";

bool is_on_device(Stream stream) {
  return stream != Stream::wait && stream != Stream::host && stream != Stream::transition &&
         stream != Stream::background;
}

class KinetoSink : public TimelineSink {
 public:
  explicit KinetoSink(std::string folder) : folder_(std::move(folder)) {}

  // Profilers know only ranks, so a process that is no rank, such as the network's links, is left out.
  void begin(const TimelineProcess& process) override {
    finish();
    streams_ = {};
    rows_ = {0, kineto_steps_row.number};
    if (process.rank)
      writer_ = std::make_unique<KinetoWriter>(
          fmt::format("{}/{}{}{}", folder_, name_start, process.rank->value(), name_end), process);
  }

  void add(const TimelineSlice& slice) override {
    OfStream& stream = streams_[static_cast<std::size_t>(slice.stream)];
    const std::size_t lane = stream.lanes.place(slice.interval);
    if (lane == stream.rows.size()) stream.rows.push_back(next_row(slice.stream));
    writer_->add(stream.rows[lane], slice);
  }

  void add(const TimelineCounter& counter) override {
    if (writer_) writer_->add(counter);
  }

  void finish() {
    if (writer_) writer_->finish();
    writer_ = nullptr;
  }

 private:
  struct OfStream {
    Lanes lanes;
    std::vector<KinetoWriter::Row> rows;  // by lane
  };

  KinetoWriter::Row next_row(Stream stream) {
    const bool on_device = is_on_device(stream);
    const KinetoWriter::Row row{on_device, ++rows_[on_device ? 0 : 1]};
    writer_->name(row, std::string(words_of(stream).row));
    return row;
  }

  std::string folder_;
  std::unique_ptr<KinetoWriter> writer_;  // null: what comes now is not of a rank
  std::array<OfStream, stream_words.size()> streams_;
  std::array<std::size_t, 2> rows_{};  // of the device and of the host
};

std::vector<std::string> files(const std::string& prefix) {
  const std::string folder = prefix + std::string(kineto_folder);
  std::vector<std::string> found;
  std::error_code none;
  for (fs::directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(name_start) && name.ends_with(name_end)) found.push_back(entry->path().string());
  }
  found.push_back(folder);
  return found;
}

void write(const Timeline& timeline, const std::string& prefix, Warnings& warnings) {
  const std::string folder = prefix + std::string(kineto_folder);
  std::error_code error;
  for (const std::string& file : files(prefix)) fs::remove(file, error);  // an earlier run had other ranks
  fs::create_directory(folder, error);
  if (error) throw InputError({folder}, "cannot make this folder: " + error.message());
  KinetoSink sink(folder);
  const TimelineLimit limit = timeline.describe(sink);
  sink.finish();
  limit.warn(folder, warnings);
}

}  // namespace

const TimelineFormat kineto_timeline{.write = write, .files = files};

}  // namespace orrery::core
