#include "report/recorded_classes.hpp"

#include <algorithm>

namespace orrery {

std::vector<RecordedClass> recorded_classes(const Program& program, const Recording& recording) {
  const RankParts parts = parts_of_classes(program, recording.classes);
  std::vector<RecordedClass> classes;
  const auto add = [&](std::uint32_t number, std::size_t ranks, const std::vector<Interval>& operations) {
    const std::uint32_t rank = recording.classes.representative(number);
    classes.push_back({parts.of(number), number, rank, ranks, &operations, recording.finish[number],
                       recording.finish[number], rank});
  };
  if (!recording.of_classes.empty()) {
    for (std::uint32_t number = 0; number < recording.classes.count(); ++number)
      add(number, recording.classes.size(number), recording.of_classes[number]);
    return classes;
  }
  for (std::uint32_t part = 0; part < parts.count(); ++part)
    add(parts[part].recorded, program.parts[part].size(), recording.parts[part].operations);
  for (std::uint32_t number = 0; number < recording.classes.count(); ++number) {
    RecordedClass& of = classes[parts.of(number)];
    if (recording.finish[number] <= of.last_finish) continue;
    of.last_finish = recording.finish[number];
    of.last_rank = recording.classes.representative(number);
  }
  return classes;
}

}  // namespace orrery
