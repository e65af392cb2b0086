#include "report/timeline/timeline_limit.hpp"

#include <fmt/format.h>

namespace orrery::core {

void TimelineLimit::warn(const std::string& file, Warnings& warnings) const {
  if (left_out_ > 0)
    warnings.add({file},
                 fmt::format("holds the first {} operations of each part and leaves out {} others, as it "
                             "may have {}; simulate fewer micro-batches or passes to see all",
                             of_part_, left_out_, max_operations));
}

}  // namespace orrery::core
