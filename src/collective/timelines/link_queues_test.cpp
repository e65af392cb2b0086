#include "collective/timelines/link_queues.hpp"

#include <gtest/gtest.h>

namespace orrery::core {
namespace {

constexpr ClassId npus[] = {ClassId(0), ClassId(1), ClassId(2), ClassId(3)};

// Two dimensions of an NPU's links; a group is known by its stride.
class LinkQueuesOfFour : public ::testing::Test {
 protected:
  LinkQueues::Turn start(Stamp now, Stamp busy, int stride, std::span<const ClassId> members,
                         UsedLinks used = {}, int dimension = 0) {
    PhaseShape& shape = *shapes_.emplace_back(std::make_unique<PhaseShape>());
    shape.group.physical = dimension;
    shape.group.stride = stride;
    shape.group.size = 2;
    used_.push_back(std::make_unique<UsedLinks>(std::move(used)));
    auto turn = std::make_shared<LinkTurn>(LinkTurn{&shape, 0, members, members, used_.back().get(), busy});
    moved_ = queues_.add(turn, now);
    return turn;
  }

  std::vector<LinkQueues::Turn> moved_;  // by the last one that has started

 private:
  std::vector<std::unique_ptr<PhaseShape>> shapes_;
  std::vector<std::unique_ptr<UsedLinks>> used_;
  const Clock clock_{Clock::Mode::picoseconds};
  LinkQueues queues_{clock_, 4, 2};
};

TEST_F(LinkQueuesOfFour, CarryAtOnceWhereLinksAreFree) {
  start(0, 10, 1, {npus, 2});
  EXPECT_EQ(start(3, 10, 1, {npus + 2, 2})->carried, 13);       // other NPUs
  EXPECT_EQ(start(3, 10, 1, {npus, 2}, {}, 1)->carried, 13);    // another dimension
  EXPECT_EQ(start(10, 10, 2, {npus, 2})->carried, 20);          // what came before is carried
  EXPECT_EQ(start(10, 10, 1, {npus, 4}, {}, -1)->carried, 30);  // all dimensions of all NPUs
  EXPECT_EQ(start(12, 10, 1, {npus + 3, 1}, {}, 1)->carried,
            30);  // behind that one, which no NPU delays here
}

TEST_F(LinkQueuesOfFour, WaitOnlyForThoseThatUseTheirLinks) {
  start(0, 10, 1, {npus, 1}, {1});
  start(0, 20, 2, {npus, 1}, {3, 4});
  EXPECT_EQ(start(0, 30, 3, {npus, 1}, {2})->carried, 30);
  EXPECT_EQ(start(0, 30, 4, {npus, 1}, {1, 5})->carried, 40);
  EXPECT_EQ(start(0, 50, 5, {npus, 1})->carried, 90);
  EXPECT_EQ(start(0, 50, 6, {npus, 1}, {7})->carried, 140);
}

TEST_F(LinkQueuesOfFour, ComeBehindThoseAsLongThatStartedBefore) {
  EXPECT_EQ(start(0, 10, 1, {npus, 2})->carried, 10);
  EXPECT_EQ(start(0, 10, 2, {npus, 2})->carried, 20);
  EXPECT_EQ(start(1, 11, 3, {npus, 2})->carried, 31);
  EXPECT_TRUE(moved_.empty());
}

TEST_F(LinkQueuesOfFour, PassLongerPhasesWhichCarryTheirRestLater) {
  const auto under_way = start(0, 100, 1, {npus, 2}), waiting = start(0, 200, 2, {npus, 2});
  EXPECT_EQ(start(30, 10, 3, {npus + 1, 1})->carried, 40);
  EXPECT_EQ(moved_, (std::vector{under_way, waiting}));
  EXPECT_EQ(under_way->carried, 110);
  EXPECT_EQ(waiting->carried, 310);
  // Another one is behind the first, which has gone on, and before the second.
  EXPECT_EQ(start(50, 150, 4, {npus, 1})->carried, 250);
  EXPECT_TRUE(moved_.empty());  // what has been moved before is not named again
  EXPECT_EQ(waiting->carried, 450);
}

TEST_F(LinkQueuesOfFour, PassNoPhaseOfTheirGroup) {
  const auto longer = start(0, 100, 1, {npus, 2});
  EXPECT_EQ(start(30, 10, 1, {npus, 2})->carried, 110);
  EXPECT_EQ(start(30, 50, 2, {npus, 2})->carried, 80);  // passes both
  EXPECT_EQ(moved_.size(), 2u);
  EXPECT_EQ(longer->carried, 150);
}

// The links of one NPU do not wait for those of another.
TEST_F(LinkQueuesOfFour, CarryBytesOnEachLinkByItself) {
  start(0, 100, 1, {npus, 2});
  const auto next = start(0, 100, 2, {npus + 1, 2}), after = start(0, 100, 3, {npus + 2, 2});
  EXPECT_EQ(next->carried, 200);
  EXPECT_EQ(after->carried, 200);  // behind the one before only there where both are
  start(0, 10, 4, {npus, 1});
  EXPECT_EQ(next->carried, 200);
  start(0, 20, 5, {npus + 2, 1});
  EXPECT_EQ(next->carried, 200);  // its last link is that of another NPU
  EXPECT_EQ(after->carried, 220);
}

}  // namespace
}  // namespace orrery::core
