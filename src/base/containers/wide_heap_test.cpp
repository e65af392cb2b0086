#include "base/containers/wide_heap.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/random.hpp"

namespace orrery::core::wide_heap_test {
namespace {

struct Number {
  int value;
  int key() const { return value; }
};

TEST(WideHeap, GivesTheLeastOfWhatItHas) {
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    WideHeap<Number> heap;
    std::multiset<int> expected;
    for (int step = 0; step < 200; ++step) {
      if (expected.empty() || random.chance(60)) {
        const int value = random.between(0, 50);
        heap.push({value});
        expected.insert(value);
      } else {
        EXPECT_EQ(heap.first().value, *expected.begin());
        EXPECT_EQ(heap.pop().value, *expected.begin());
        expected.erase(expected.begin());
      }
      ASSERT_EQ(heap.size(), expected.size());
      ASSERT_EQ(heap.empty(), expected.empty());
    }
  }
}

}  // namespace
}  // namespace orrery::core::wide_heap_test
