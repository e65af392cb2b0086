#include "network/latency_histogram.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace orrery::core::latency_histogram_test {
namespace {

TEST(LatencyHistogram, PutsEveryTimeIntoItsBucket) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t time =
        i < 100 ? static_cast<std::uint64_t>(i) : random.next() >> (4 + random.next() % 60);
    LatencyHistogram histogram;
    histogram.add(time);
    const auto buckets = histogram.buckets();
    ASSERT_EQ(buckets.size(), 1u);
    EXPECT_LE(buckets[0].from, time);
    EXPECT_GT(buckets[0].to, time);
    EXPECT_LE(buckets[0].to - buckets[0].from, std::max<std::uint64_t>(1, buckets[0].from / 4)) << time;
  }
}

TEST(LatencyHistogram, BucketsFollowOneAnother) {
  LatencyHistogram histogram;
  std::uint64_t sum = 0;
  for (std::uint64_t time = 0; time < 5000; ++time) {
    histogram.add(time);
    sum += time;
  }
  std::uint64_t next = 0, count = 0;
  for (const auto& bucket : histogram.buckets()) {
    EXPECT_EQ(bucket.from, next);
    next = bucket.to;
    count += bucket.count;
    if (bucket.to <= 5000) {
      EXPECT_EQ(bucket.count, bucket.to - bucket.from);
    }
  }
  EXPECT_EQ(count, histogram.count());
  EXPECT_EQ(histogram.longest(), 4999u);
  EXPECT_EQ(histogram.mean(), static_cast<double>(sum) / 5000);
}

}  // namespace
}  // namespace orrery::core::latency_histogram_test
