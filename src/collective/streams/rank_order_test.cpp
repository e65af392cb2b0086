#include "collective/streams/rank_order.hpp"

#include <gtest/gtest.h>

#include "collective/phase/ambiguous_event_order.hpp"
#include "support/ids.hpp"

namespace orrery::core::rank_order_test {
namespace {

using Ranks = std::vector<std::uint32_t>;

RankOrder::Origin shift(const LogicalDimension& dimension, std::uint32_t amount) {
  return {dimension, ExchangeSchedule::Peer::shift, amount};
}

TEST(RankOrder, IsThatOfTheNumbersAsLongAsNoMessageArrives) {
  RankOrder order;
  order.scheduled(10);
  order.begins(10);
  order.scheduled(20);
  order.begins(20);
  EXPECT_EQ(test::numbers_of(order.ranks(4)), (Ranks{0, 1, 2, 3}));
}

TEST(RankOrder, GivesTheReceiverTheSendersPlace) {
  RankOrder order;
  order.set_origin(shift({1, 4, 0}, 1));  // rank 1 hears of rank 0 first, rank 0 of rank 3 last
  order.scheduled(10);
  order.begins(10);
  EXPECT_EQ(test::numbers_of(order.ranks(4)), (Ranks{1, 2, 3, 0}));
  order.scheduled(20);
  order.begins(20);
  EXPECT_EQ(test::numbers_of(order.ranks(4)), (Ranks{2, 3, 0, 1}));
}

TEST(RankOrder, FollowsMessagesAlongEachDimension) {
  RankOrder order;
  order.set_origin(shift({1, 2, 0}, 1));
  order.scheduled(10);
  order.begins(10);
  order.set_origin({{2, 2, 1}, ExchangeSchedule::Peer::exclusive_or, 1});
  order.scheduled(20);
  order.begins(20);
  EXPECT_EQ(test::numbers_of(order.ranks(4)), (Ranks{3, 2, 1, 0}));
}

TEST(RankOrder, IsUnknownWhereRanksSeeTheirEventsInDifferentOrders) {
  RankOrder order;
  order.set_origin(shift({1, 2, 0}, 1));
  order.scheduled(10);
  order.set_origin(shift({2, 2, 1}, 1));
  order.scheduled(11);  // another instant
  EXPECT_THROW(order.scheduled(10), AmbiguousEventOrder);
}

TEST(RankOrder, IsKnownWhereOneOfTheEventsWasScheduledBefore) {
  RankOrder order;
  order.scheduled(5);
  order.set_origin(shift({1, 2, 0}, 1));
  order.scheduled(10);
  order.begins(5);
  order.set_origin(shift({2, 2, 1}, 1));
  order.scheduled(10);
  order.begins(10);
  EXPECT_EQ(test::numbers_of(order.ranks(4)), (Ranks{1, 0, 3, 2}));
  order.begins(10);
  EXPECT_EQ(test::numbers_of(order.ranks(4)), (Ranks{2, 3, 0, 1}));
}

}  // namespace
}  // namespace orrery::core::rank_order_test
