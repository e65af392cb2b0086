#include "network/fluid/rates/crossings.hpp"

#include <gtest/gtest.h>

#include <map>

namespace orrery::core::crossings_test {
namespace {

std::map<std::uint32_t, double> weights_of(std::span<const Crossings::Crossing> crossings) {
  std::map<std::uint32_t, double> weights;
  for (const Crossings::Crossing& crossing : crossings) weights[crossing.resource] = crossing.weight;
  return weights;
}

using Weights = std::map<std::uint32_t, double>;

TEST(Crossings, AddUpWaysOfWatchedAndRoomyResources) {
  Crossings crossings;
  for (int i = 0; i < 6; ++i) crossings.add_resource();
  crossings.open(0);
  crossings.add_route(1, 1, false);
  crossings.add_route(2, 2, true);
  crossings.add_route(3, 3, false);
  crossings.add_route(4, 4, true);
  crossings.add_route(3, 5, false);
  EXPECT_EQ(weights_of(crossings.watched(0)), (Weights{{2, 2}, {4, 4}}));
  EXPECT_EQ(weights_of(crossings.roomy(0)), (Weights{{1, 1}, {3, 8}}));

  crossings.set_watched(3, true);
  crossings.set_watched(3, true);
  crossings.set_watched(2, false);
  EXPECT_EQ(weights_of(crossings.watched(0)), (Weights{{3, 8}, {4, 4}}));
  EXPECT_EQ(weights_of(crossings.roomy(0)), (Weights{{1, 1}, {2, 2}}));

  crossings.remove_route(3, 3);
  EXPECT_EQ(weights_of(crossings.watched(0)), (Weights{{3, 5}, {4, 4}}));
  crossings.remove_route(3, 5);
  crossings.remove_route(1, 1);
  EXPECT_EQ(weights_of(crossings.watched(0)), (Weights{{4, 4}}));
  EXPECT_EQ(weights_of(crossings.roomy(0)), (Weights{{2, 2}}));
}

TEST(Crossings, OfOtherBottlenecksStay) {
  Crossings crossings;
  for (int i = 0; i < 4; ++i) crossings.add_resource();
  crossings.open(0);
  crossings.add_route(2, 1, true);
  crossings.add_route(3, 1, true);
  crossings.open(1);
  crossings.add_route(3, 7, false);
  crossings.open(0);
  crossings.remove_route(2, 1);
  crossings.add_weight(3, 1);
  EXPECT_EQ(weights_of(crossings.watched(0)), (Weights{{3, 2}}));
  EXPECT_EQ(weights_of(crossings.roomy(1)), (Weights{{3, 7}}));
}

}  // namespace
}  // namespace orrery::core::crossings_test
