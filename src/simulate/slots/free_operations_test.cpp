#include "simulate/slots/free_operations.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/random.hpp"

namespace orrery::core::free_operations_test {
namespace {

TEST(FreeOperations, AgreesWithASetOnRandomNumbers) {
  Random random(1);
  FreeOperations free;
  std::set<std::uint32_t> model;
  for (std::uint32_t step = 0; step < 10'000; ++step) {
    if (random.chance(50)) {
      const std::uint32_t node = static_cast<std::uint32_t>(random.between(0, 9)) * 10'000 + step;
      free.push(node);
      model.insert(node);
    } else if (!model.empty()) {
      ASSERT_EQ(free.first(), *model.begin());
      free.pop();
      model.erase(model.begin());
    }
    ASSERT_EQ(free.empty(), model.empty());
  }
}

TEST(FreeOperations, TheFirstOfNoneIsBehindAll) {
  FreeOperations free;
  EXPECT_EQ(free.first(), FreeOperations::none);
  free.push(7);
  free.pop();
  EXPECT_EQ(free.first(), FreeOperations::none);
}

}  // namespace
}  // namespace orrery::core::free_operations_test
