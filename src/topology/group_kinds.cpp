#include "topology/group_kinds.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace orrery::core {

GroupKinds::GroupKinds(bool even) : kinds_{{0, even}} {}

GroupKinds::GroupKinds(const LogicalDimension& groups, const LogicalDimension& whole,
                       const std::vector<double>& slowdown)
    : groups_(groups), kind_of_(slowdown.size() / static_cast<std::size_t>(groups.size)) {
  const auto npus = static_cast<int>(slowdown.size());
  std::map<std::vector<double>, std::uint32_t> patterns;
  std::map<std::pair<std::uint32_t, int>, std::uint32_t> numbers;  // by pattern and place in it
  std::vector<double> pattern(static_cast<std::size_t>(whole.size));
  for (int corner = 0; corner < npus; ++corner) {
    if (whole.position(corner) != 0) continue;
    for (int y = 0; y < whole.size; ++y)
      pattern[static_cast<std::size_t>(y)] = slowdown[static_cast<std::size_t>(corner + y * whole.stride)];
    const bool even =
        std::adjacent_find(pattern.begin(), pattern.end(), std::not_equal_to<>()) == pattern.end();
    const auto found = patterns.emplace(pattern, static_cast<std::uint32_t>(patterns.size())).first;
    for (int y = 0; y < whole.size; ++y) {
      const int npu = corner + y * whole.stride;
      if (groups.position(npu) != 0) continue;
      // If all are equal, the place does not matter.
      const auto [kind, added] =
          numbers.emplace(std::pair(found->second, even ? 0 : y), static_cast<std::uint32_t>(numbers.size()));
      if (added) kinds_.push_back({npu, even});
      kind_of_[static_cast<std::size_t>(groups.group(npu))] = kind->second;
    }
  }
}

bool GroupKinds::all_even() const {
  return std::all_of(kinds_.begin(), kinds_.end(), [](const Kind& kind) { return kind.even; });
}

}  // namespace orrery::core
