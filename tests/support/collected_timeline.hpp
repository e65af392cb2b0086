// A timeline as it is described, for tests that look at its slices.
#pragma once

#include <vector>

#include "report/timeline/timeline.hpp"

namespace orrery::core::test {

// Strings of facts are those of the run, which has to be there as long as they are looked at.
struct CollectedTimeline : TimelineSink {
  explicit CollectedTimeline(const Timeline& timeline) { timeline.describe(*this); }

  struct Process {
    TimelineProcess process;
    std::vector<TimelineSlice> slices;
    std::vector<TimelineCounter> counters;

    // Returns the sum of the durations of a stream's slices.
    Time sum_of(Stream stream) const {
      Time sum;
      for (const TimelineSlice& slice : slices)
        if (slice.stream == stream) sum += slice.interval.end - slice.interval.start;
      return sum;
    }
    const TimelineSlice* find(Stream stream, std::string_view name) const {
      for (const TimelineSlice& slice : slices)
        if (slice.stream == stream && slice.name == name) return &slice;
      return nullptr;
    }
  };
  std::vector<Process> processes;

  void begin(const TimelineProcess& process) override { processes.push_back({process, {}, {}}); }
  void add(const TimelineSlice& slice) override { processes.back().slices.push_back(slice); }
  void add(const TimelineCounter& counter) override { processes.back().counters.push_back(counter); }
};

}  // namespace orrery::core::test
