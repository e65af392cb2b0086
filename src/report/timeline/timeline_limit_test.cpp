#include "report/timeline/timeline_limit.hpp"

#include <gtest/gtest.h>

namespace orrery::core::timeline_limit_test {
namespace {

TEST(TimelineLimit, PartsHaveEquallyManyPlacesAndTheRestIsCounted) {
  TimelineLimit limit(TimelineLimit::max_operations / 2);  // two places each
  Warnings warnings;
  for (int part = 0; part < 3; ++part) {
    limit.begin_part();
    EXPECT_TRUE(limit.take());
    EXPECT_TRUE(limit.take());
    limit.warn("timeline.csv", warnings);
    EXPECT_EQ(warnings.lines().size(), static_cast<std::size_t>(part));  // earlier parts left some out
    EXPECT_FALSE(limit.take());
  }
  limit.warn("timeline.csv", warnings);
  ASSERT_EQ(warnings.lines().size(), 3u);
  EXPECT_EQ(
      warnings.lines()[2],
      "timeline.csv: warning: holds the first 2 operations of each part and leaves out 3 others, as it may "
      "have 1000000; simulate fewer micro-batches or passes to see all");
}

}  // namespace
}  // namespace orrery::core::timeline_limit_test
