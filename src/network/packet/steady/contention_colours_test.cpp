#include "network/packet/steady/contention_colours.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace orrery::core::contention_colours_test {
namespace {

std::vector<LinkId> links_of(std::initializer_list<int> numbers) {
  return {numbers.begin(), numbers.end()};
}

SteadyRoute route_over(std::initializer_list<int> data, std::initializer_list<int> acks = {}) {
  SteadyRoute route;
  route.links.data = links_of(data);
  route.links.acks = links_of(acks);
  return route;
}

std::vector<std::uint64_t> colours_of(const std::vector<SteadyRoute>& routes, int slow_link = 1000) {
  std::vector<ColouredFlow> flows;
  for (const SteadyRoute& route : routes) flows.push_back({&route, 1});
  return contention_colours(flows, [=](LinkId link) { return link == LinkId(slow_link) ? 2u : 1u; });
}

std::vector<std::uint64_t> in_order(std::vector<std::uint64_t> colours) {
  std::ranges::sort(colours);
  return colours;
}

// Flow i sends over link i, and its acknowledgements take the link of the one before it.
std::vector<SteadyRoute> ring(int flows, int first = 0) {
  std::vector<SteadyRoute> routes;
  for (int i = 0; i < flows; ++i)
    routes.push_back(route_over({first + i}, {first + (i + flows - 1) % flows}));
  return routes;
}

TEST(ContentionColours, FlowsOfARingAreAlikeWhereverItIs) {
  const std::vector<std::uint64_t> here = colours_of(ring(8)), there = colours_of(ring(8, 100));
  EXPECT_EQ(std::ranges::count(here, here[0]), 8);
  EXPECT_EQ(here, there);
}

TEST(ContentionColours, ASlowLinkIsFeltByDistance) {
  const std::vector<std::uint64_t> colours = colours_of(ring(8), 3);
  EXPECT_NE(colours[3], colours[2]);
  EXPECT_NE(colours[3], colours[4]);
  EXPECT_NE(in_order(colours), in_order(colours_of(ring(8))));
  EXPECT_EQ(in_order(colours), in_order(colours_of(ring(8), 6)));
}

TEST(ContentionColours, SharingIsNotGoingSideBySide) {
  const auto sharing = colours_of({route_over({0, 1}), route_over({2, 1})});
  const auto apart = colours_of({route_over({0, 1}), route_over({2, 3})});
  EXPECT_EQ(sharing[0], sharing[1]);
  EXPECT_NE(sharing[0], apart[0]);
}

TEST(ContentionColours, TheOrderOfFlowsDoesNotCount) {
  std::vector<SteadyRoute> routes{route_over({0, 1}), route_over({2, 1}), route_over({2, 3}),
                                  route_over({4, 3, 1})};
  const auto colours = colours_of(routes);
  std::ranges::reverse(routes);
  auto reversed = colours_of(routes);
  std::ranges::reverse(reversed);
  EXPECT_EQ(colours, reversed);
}

}  // namespace
}  // namespace orrery::core::contention_colours_test
