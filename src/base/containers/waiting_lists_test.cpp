#include "base/containers/waiting_lists.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "base/random.hpp"

namespace orrery::core::waiting_lists_test {

namespace {

struct Thing {
  int kind;
  std::uint32_t next = 0;
};

using Lists = WaitingLists<Thing>;

auto is(int kind) {
  return [kind](const Thing& thing) { return thing.kind == kind; };
}

}  // namespace

TEST(WaitingLists, TakesTheOldestThatMatches) {
  Numbered<Thing> things;
  Lists lists(2);
  const std::uint32_t other = things.keep({7}), first = things.keep({3}), second = things.keep({3});
  for (const std::uint32_t thing : {other, first, second}) lists.append(things, 1, thing);
  EXPECT_EQ(lists.take(things, 0, is(3)), Lists::none);
  EXPECT_EQ(lists.take(things, 1, is(3)), first);
  EXPECT_EQ(lists.take(things, 1, is(3)), second);
  EXPECT_EQ(lists.take(things, 1, is(3)), Lists::none);
  EXPECT_EQ(lists.take(things, 1, is(7)), other);
}

TEST(WaitingLists, VisitsAllAndForgetsThemAtAReset) {
  Numbered<Thing> things;
  Lists lists(3);
  for (int kind = 0; kind < 5; ++kind)
    lists.append(things, static_cast<std::size_t>(kind) % 2, things.keep({kind}));
  std::vector<int> kinds;
  lists.for_each(things, [&](std::uint32_t thing) { kinds.push_back(things[thing].kind); });
  EXPECT_EQ(kinds, (std::vector{0, 2, 4, 1, 3}));
  lists.reset(4);
  EXPECT_EQ(lists.size(), 4u);
  EXPECT_EQ(lists.take(things, 0, [](const Thing&) { return true; }), Lists::none);
}

TEST(WaitingLists, AgreeWithAQueuePerKind) {
  Random random(11);
  Numbered<Thing> things;
  Lists lists(4);
  std::vector<std::deque<std::uint32_t>> queues(12);
  for (int round = 0; round < 5000; ++round) {
    const std::size_t kind = static_cast<std::size_t>(random.between(0, 11));
    if (random.chance(50)) {
      const std::uint32_t thing = things.keep({static_cast<int>(kind)});
      lists.append(things, kind % 4, thing);
      queues[kind].push_back(thing);
      continue;
    }
    const std::uint32_t found = lists.take(things, kind % 4, is(static_cast<int>(kind)));
    ASSERT_EQ(found, queues[kind].empty() ? Lists::none : queues[kind].front());
    if (queues[kind].empty()) continue;
    queues[kind].pop_front();
    things.take(found);
  }
}

}  // namespace orrery::core::waiting_lists_test
