#include "topology/slow_links.hpp"

#include <algorithm>
#include <functional>

namespace orrery::core {

LinkSlowdown slowdown_into(const std::vector<SlowLinks>& slow_links, int dimension, int npus) {
  LinkSlowdown slowdown;
  for (const SlowLinks& slow : slow_links) {
    if (slow.dimension != dimension) continue;
    slowdown.by_npu.resize(static_cast<std::size_t>(npus), 1.0);
    for (int npu : slow.npus) slowdown.by_npu[static_cast<std::size_t>(npu)] *= slow.slowdown;
  }
  std::vector<double>& each = slowdown.by_npu;
  if (each.empty() || std::adjacent_find(each.begin(), each.end(), std::not_equal_to<>()) != each.end())
    return slowdown;
  return {each.front(), {}};
}

}  // namespace orrery::core
