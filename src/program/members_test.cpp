#include "program/members.hpp"

#include <gtest/gtest.h>

#include "support/ids.hpp"

namespace orrery::core::members_test {
namespace {

// 2 x 3 x 2 NPUs.
const Communicator machine{"all", {{1, 2, 0}, {2, 3, 1}, {6, 2, 2}}};
const Communicator listed{"1", {}, test::ids<RankId>({5, 2, 7})};

CollectiveRequest request_of(CollectiveKind kind, std::uint32_t root = 0, unsigned long dimensions = 0) {
  return {.kind = kind, .size = Bytes(8), .dimensions = DimensionSet(dimensions), .root = root};
}

TEST(Members, AreThoseAlongTheDimensionsThatTakePart) {
  const CollectiveRequest request = request_of(CollectiveKind::all_reduce, 0, 0b101);
  EXPECT_EQ(members_with(RankId(3), request, machine), test::ids<RankId>({2, 3, 8, 9}));
  EXPECT_EQ(place_among_members(RankId(8), request, machine), 2u);
  for (std::uint32_t place = 0; place < 4; ++place)
    EXPECT_EQ(member_at(place, RankId(9), request, machine),
              members_with(RankId(3), request, machine)[place]);
}

TEST(Members, AreThoseThatAreListed) {
  EXPECT_EQ(members_with(RankId(7), {}, listed), test::ids<RankId>({5, 2, 7}));
  EXPECT_EQ(place_among_members(RankId(7), {}, listed), 2u);
  EXPECT_EQ(member_at(2, RankId(5), {}, listed), RankId(7));
}

TEST(Members, WaitForTheRootThatHasDataOrItForThem) {
  const CollectiveRequest broadcast = request_of(CollectiveKind::broadcast, 1);  // rank 2
  EXPECT_TRUE(is_awaited(RankId(2), RankId(7), broadcast, listed));
  EXPECT_FALSE(is_awaited(RankId(5), RankId(7), broadcast, listed));
  const CollectiveRequest gather = request_of(CollectiveKind::gather, 1);
  EXPECT_TRUE(is_awaited(RankId(5), RankId(2), gather, listed));
  EXPECT_FALSE(is_awaited(RankId(5), RankId(7), gather, listed));
  EXPECT_TRUE(is_awaited(RankId(5), RankId(7), request_of(CollectiveKind::barrier, 1), listed));
}

}  // namespace
}  // namespace orrery::core::members_test
