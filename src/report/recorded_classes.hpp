// The classes of ranks of which a run knows what they did.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"
#include "simulate/recording.hpp"

namespace orrery {

struct RecordedClass {
  std::uint32_t part = 0;                             // index in the program
  std::uint32_t number = 0;                           // index among the simulated classes
  std::uint32_t rank = 0;                             // the lowest of the class
  std::size_t ranks = 0;                              // number of ranks for which it stands
  const std::vector<Interval>* operations = nullptr;  // by id in the part's graph
  Time finish;                                        // when ranks of the class ended
  // When the last of the ranks ended for which it stands, and the lowest of those that did so.
  Time last_finish;
  std::uint32_t last_rank = 0;
};

// Returns them by their lowest ranks: all classes where the recording has them, otherwise the lowest of each
// part, which stands for the whole part. Refers to the recording.
std::vector<RecordedClass> recorded_classes(const Program& program, const Recording& recording);

// Returns the mean over all their ranks, never more than the longest time. `time_of` is a function of the
// index of a class.
template <class TimeOf>
Time mean_over_ranks(const std::vector<RecordedClass>& classes, const TimeOf& time_of) {
  __extension__ __int128 sum = 0;
  std::int64_t ranks = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto of_class = static_cast<std::int64_t>(classes[i].ranks);
    sum += static_cast<decltype(sum)>(time_of(i).ps()) * of_class;
    ranks += of_class;
  }
  return Time::from_ps(static_cast<std::int64_t>(sum / ranks));
}

}  // namespace orrery
