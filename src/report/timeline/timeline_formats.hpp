// The formats of timelines. A new one is a TimelineFormat in a file of its own, and a line here.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"
#include "report/timeline/timeline.hpp"

namespace orrery::core {

struct TimelineFormat {
  // Writes the files of a timeline, whose paths begin with `prefix`.
  void (*write)(const Timeline& timeline, const std::string& prefix, Warnings& warnings);
  // Returns the files that exist and that write() has or may have made. Folders come last.
  std::vector<std::string> (*files)(const std::string& prefix);
};

extern const TimelineFormat csv_timeline;       // a line per operation
extern const TimelineFormat perfetto_timeline;  // for ui.perfetto.dev
extern const TimelineFormat kineto_timeline;    // as the PyTorch profiler writes it

inline constexpr std::array<EnumName<const TimelineFormat*>, 3> timeline_format_words{{
    {"csv", &csv_timeline},
    {"perfetto", &perfetto_timeline},
    {"kineto", &kineto_timeline},
}};

// The formats that a run writes, each once.
using TimelineFormats = std::vector<const TimelineFormat*>;

void write_timeline(const Timeline& timeline, const TimelineFormats& formats, const std::string& prefix,
                    Warnings& warnings);

}  // namespace orrery::core
