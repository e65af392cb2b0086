#include "simulate/trace/free_nodes.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/random.hpp"

namespace orrery {
namespace {

TEST(FreeNodes, AgreesWithASetOnRandomNodes) {
  Random random(1);
  FreeNodes nodes;
  std::set<std::uint32_t> model;
  for (std::uint32_t step = 0; step < 10'000; ++step) {
    if (random.chance(50)) {
      const std::uint32_t node = static_cast<std::uint32_t>(random.between(0, 9)) * 10'000 + step;
      nodes.push(node);
      model.insert(node);
    } else if (!model.empty()) {
      ASSERT_EQ(nodes.first(), *model.begin());
      nodes.pop();
      model.erase(model.begin());
    }
    ASSERT_EQ(nodes.empty(), model.empty());
  }
}

TEST(FreeNodes, TheFirstOfNoneIsBehindAllNodes) {
  FreeNodes nodes;
  EXPECT_EQ(nodes.first(), FreeNodes::none);
  nodes.push(7);
  nodes.pop();
  EXPECT_EQ(nodes.first(), FreeNodes::none);
}

}  // namespace
}  // namespace orrery
