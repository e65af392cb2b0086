#include "workload/pipeline/layer_chunks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/random.hpp"

namespace orrery::core::layer_chunks_test {
namespace {

std::vector<LayerSegment> segments_of(const std::vector<int>& times) {
  std::vector<LayerSegment> segments;
  for (const int time : times) segments.push_back({1, Time::from_ns(time)});
  return segments;
}

using Sizes = std::vector<std::size_t>;

TEST(LayerChunks, TheSlowestIsAsFastAsCanBe) {
  EXPECT_EQ(cut_into_chunks(segments_of({1, 1, 1, 1}), 2), (Sizes{2, 2}));
  EXPECT_EQ(cut_into_chunks(segments_of({5, 1, 1, 1, 1, 1}), 2), (Sizes{1, 5}));
  EXPECT_EQ(cut_into_chunks(segments_of({1, 1, 9, 1, 1}), 3), (Sizes{2, 1, 2}));
}

TEST(LayerChunks, NoneIsEmpty) {
  EXPECT_EQ(cut_into_chunks(segments_of({9, 0, 0, 0}), 4), (Sizes{1, 1, 1, 1}));
  EXPECT_EQ(cut_into_chunks(segments_of({0, 0, 0}), 2).size(), 2u);
  EXPECT_TRUE(cut_into_chunks(segments_of({1, 2}), 3).empty());
}

TEST(LayerChunks, CountsTheLayersOfSegments) {
  EXPECT_EQ(cut_into_chunks({{3, Time::from_ns(5)}, {4, Time::from_ns(5)}}, 2), (Sizes{3, 4}));
}

// Against all ways to cut.
TEST(LayerChunks, NoOtherCutIsBetter) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    const int layers = random.between(1, 9);
    const int chunks = random.between(1, layers);
    std::vector<int> times;
    for (int i = 0; i < layers; ++i) times.push_back(random.between(0, 19));
    int best = std::numeric_limits<int>::max();
    for (unsigned cuts = 0; cuts < 1u << (layers - 1); ++cuts) {
      if (__builtin_popcount(cuts) != chunks - 1) continue;
      int longest = 0, sum = 0;
      for (int i = 0; i < layers; ++i) {
        sum += times[i];
        longest = std::max(longest, sum);
        if (i + 1 < layers && cuts >> i & 1) sum = 0;
      }
      best = std::min(best, longest);
    }
    const Sizes sizes = cut_into_chunks(segments_of(times), static_cast<std::size_t>(chunks));
    ASSERT_EQ(sizes.size(), static_cast<std::size_t>(chunks));
    ASSERT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), times.size());
    int longest = 0, next = 0;
    for (const std::size_t size : sizes) {
      ASSERT_GT(size, 0u);
      int sum = 0;
      for (std::size_t i = 0; i < size; ++i) sum += times[next++];
      longest = std::max(longest, sum);
    }
    EXPECT_EQ(longest, best);
  }
}

}  // namespace
}  // namespace orrery::core::layer_chunks_test
