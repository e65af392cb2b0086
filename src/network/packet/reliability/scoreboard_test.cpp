#include "network/packet/reliability/scoreboard.hpp"

#include <gtest/gtest.h>

namespace orrery::core::scoreboard_test {
namespace {

constexpr std::uint32_t packets = 3;

TEST(Scoreboard, APacketIsLostWhenThreeThatWereSentLaterHaveArrived) {
  Scoreboard board;
  for (std::uint64_t i = 0; i < 5; ++i) board.send(i * 100, 100, static_cast<Stamp>(i));
  board.arrive(100);
  EXPECT_FALSE(board.find_losses(2, 1, packets, 0));
  board.arrive(200);
  EXPECT_FALSE(board.find_losses(3, 2, packets, 0));
  EXPECT_EQ(board.gone(), 200u);
  board.arrive(300);
  EXPECT_TRUE(board.find_losses(4, 3, packets, 0));
  ASSERT_NE(board.first_lost(), nullptr);
  EXPECT_EQ(board.first_lost()->first, 0u);
  EXPECT_EQ(board.gone(), 400u);
}

TEST(Scoreboard, APacketThatIsSentAgainCanBeLostAgain) {
  Scoreboard board;
  for (std::uint64_t i = 0; i < 4; ++i) board.send(i * 100, 100, 0);
  for (std::uint64_t i = 1; i < 4; ++i) board.arrive(i * 100);
  EXPECT_TRUE(board.find_losses(4, 0, packets, 0));
  EXPECT_EQ(board.send(0, 100, 1), 5u);
  EXPECT_EQ(board.first_lost(), nullptr);
  EXPECT_EQ(board.gone(), 300u);
  for (std::uint64_t i = 4; i < 7; ++i) {
    board.send(i * 100, 100, 2);
    board.arrive(i * 100);
  }
  EXPECT_TRUE(board.find_losses(8, 2, packets, 0));
  EXPECT_EQ(board.first_lost()->first, 0u);
}

TEST(Scoreboard, WherePacketsOvertakeOneAnotherTimeHasToPassToo) {
  Scoreboard board;
  for (std::uint64_t i = 0; i < 9; ++i) board.send(i * 100, 100, static_cast<Stamp>(i * 10));
  board.arrive(700);
  EXPECT_FALSE(board.find_losses(8, 70, packets, 75));
  board.arrive(800);
  EXPECT_TRUE(board.find_losses(9, 80, packets, 75));
  EXPECT_EQ(board.first_lost()->first, 0u);  // and the one that was sent 70 before is not lost yet
  EXPECT_EQ(board.gone(), 300u);
}

TEST(Scoreboard, APacketThatWasOnlyLateIsNotLost) {
  Scoreboard board;
  for (std::uint64_t i = 0; i < 4; ++i) board.send(i * 100, 100, 0);
  for (std::uint64_t i = 1; i < 4; ++i) board.arrive(i * 100);
  EXPECT_TRUE(board.find_losses(4, 0, packets, 0));
  board.acknowledge(400);
  EXPECT_EQ(board.first_lost(), nullptr);
  EXPECT_EQ(board.gone(), 0u);
}

TEST(Scoreboard, AfterATimeoutAllIsLostThatHasNotArrived) {
  Scoreboard board;
  for (std::uint64_t i = 0; i < 4; ++i) board.send(i * 100, 100, 0);
  board.arrive(200);
  board.lose_all();
  EXPECT_EQ(board.gone(), 400u);
  EXPECT_EQ(board.first_lost()->first, 0u);
  board.send(0, 100, 1);
  board.send(100, 100, 1);
  EXPECT_EQ(board.first_lost()->first, 300u);
}

}  // namespace
}  // namespace orrery::core::scoreboard_test
