#include "network/packet/flow_control/lane_arbiter.hpp"

#include <gtest/gtest.h>

#include <map>

namespace orrery::core::lane_arbiter_test {
namespace {

constexpr unsigned lanes_1_and_2 = 1u << 1 | 1u << 2;

// Returns how many of that many packets each lane sends, of so many blocks, if all are always ready.
std::map<int, int> turns(const CreditSettings& settings, unsigned ready, int packets, std::uint64_t blocks) {
  const LaneTables tables(settings);
  LaneArbiter arbiter;
  std::map<int, int> sent;
  for (int i = 0; i < packets; ++i) {
    ++sent[arbiter.choose(tables, ready)];
    arbiter.sent(tables, blocks);
  }
  return sent;
}

TEST(LaneArbiter, WithoutTablesAllLanesTakeTurns) {
  EXPECT_EQ(turns({}, 0b11111110, 70, 65),
            (std::map<int, int>{{1, 10}, {2, 10}, {3, 10}, {4, 10}, {5, 10}, {6, 10}, {7, 10}}));
  EXPECT_EQ(turns({}, 0b100, 70, 65), (std::map<int, int>{{2, 70}}));
}

TEST(LaneArbiter, LanesSendTheirWeight) {
  CreditSettings settings;
  settings.low = {{1, 30}, {2, 10}};
  EXPECT_EQ(turns(settings, lanes_1_and_2, 400, 1), (std::map<int, int>{{1, 300}, {2, 100}}));
  // The packet that exceeds the weight goes, too: 3 of 13 blocks, and 1.
  EXPECT_EQ(turns(settings, lanes_1_and_2, 400, 13), (std::map<int, int>{{1, 300}, {2, 100}}));
}

TEST(LaneArbiter, ALaneMayHaveSeveralTurns) {
  CreditSettings settings;
  settings.low = {{1, 1}, {2, 1}, {1, 1}};
  EXPECT_EQ(turns(settings, lanes_1_and_2, 300, 65), (std::map<int, int>{{1, 200}, {2, 100}}));
}

TEST(LaneArbiter, TheHighTableGoesFirstUpToItsLimit) {
  CreditSettings settings;
  settings.high = {{1, 1}};
  settings.low = {{2, 1}};
  EXPECT_EQ(turns(settings, lanes_1_and_2, 100, 64), (std::map<int, int>{{1, 100}}));
  settings.high_limit = 0;
  EXPECT_EQ(turns(settings, lanes_1_and_2, 100, 64), (std::map<int, int>{{1, 50}, {2, 50}}));
  settings.high_limit = 3;  // packets of 64 blocks have 4096 bytes
  EXPECT_EQ(turns(settings, lanes_1_and_2, 100, 64), (std::map<int, int>{{1, 75}, {2, 25}}));
}

}  // namespace
}  // namespace orrery::core::lane_arbiter_test
