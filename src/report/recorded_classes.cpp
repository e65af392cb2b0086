#include "report/recorded_classes.hpp"

#include <algorithm>

namespace orrery {

std::vector<RecordedClass> recorded_classes(const Program& program, const Recording& recording) {
  const RankParts parts = parts_of_classes(program, recording.classes);
  std::vector<RecordedClass> classes;
  if (recording.of_classes.empty()) {
    for (std::uint32_t part = 0; part < parts.count(); ++part)
      classes.push_back({part, recording.classes.representative(parts[part].recorded),
                         program.parts[part].size(), &recording.parts[part].operations, Time()});
    for (std::uint32_t number = 0; number < recording.classes.count(); ++number) {
      RecordedClass& of = classes[parts.of(number)];
      of.finish = std::max(of.finish, recording.finish[number]);
    }
    return classes;
  }
  for (std::uint32_t number = 0; number < recording.classes.count(); ++number)
    classes.push_back({parts.of(number), recording.classes.representative(number),
                       recording.classes.size(number), &recording.of_classes[number],
                       recording.finish[number]});
  return classes;
}

}  // namespace orrery
