#include "report/timeline/timeline_formats.hpp"

namespace orrery::core {

void write_timeline(const Timeline& timeline, const TimelineFormats& formats, const std::string& prefix,
                    Warnings& warnings) {
  for (const TimelineFormat* format : formats) format->write(timeline, prefix, warnings);
}

const TimelineFormat csv_timeline{
    .write =
        [](const Timeline& timeline, const std::string& prefix, Warnings& warnings) {
          const std::string path = prefix + std::string(timeline.csv_name());
          FileWriter file(path);
          RowSink sink(file);
          const TimelineLimit limit = timeline.write_rows(sink);
          file.finish();
          limit.warn(path, warnings);
        },
    .files = [](const std::string& prefix) { return std::vector<std::string>{prefix + "timeline.csv"}; }};

}  // namespace orrery::core
