#include "simulate/slots/finish_order_checker.hpp"

#include <gtest/gtest.h>

#include "collective/phase/ambiguous_event_order.hpp"

namespace orrery::core::finish_order_checker_test {
namespace {

constexpr std::size_t cpu = 0, gpu = 1, comm = 2, none = FinishOrderChecker::no_slot;
constexpr Time now = Time::from_ns(5);

class Watch : public testing::Test {
 protected:
  void finishes(std::size_t slot) { watch.finishes(RankId(0), now, slot, waiting, occupied); }
  void frees(std::uint32_t node, std::size_t slot) { watch.frees(RankId(0), now, node, slot); }
  void expect_fine() { EXPECT_NO_THROW(watch.end()); }
  void expect_doubt() { EXPECT_THROW(watch.end(), AmbiguousEventOrder); }

  FinishOrderChecker watch{1};
  FinishOrderChecker::Waiting waiting{FinishOrderChecker::no_operation, FinishOrderChecker::no_operation,
                                      FinishOrderChecker::no_operation};
  std::array<bool, FinishOrderChecker::slots> occupied{true, true, true};
};

TEST_F(Watch, LetsOneNodeFreeWhatItLikes) {
  finishes(cpu);
  frees(7, gpu);
  frees(3, cpu);
  frees(4, cpu);
  expect_fine();
}

TEST_F(Watch, LetsEachGoOnInItsOwnSlot) {
  finishes(cpu);
  frees(7, cpu);
  finishes(gpu);
  frees(8, gpu);
  expect_fine();
}

TEST_F(Watch, DoubtsWhoseChildTheVacatedSlotTakes) {
  finishes(cpu);
  frees(7, gpu);  // is taken if the GPU's node finishes second
  finishes(gpu);
  frees(8, gpu);
  expect_doubt();
}

TEST_F(Watch, KnowsThatAnEarlierNodeGoesFirstInAnyOrder) {
  finishes(cpu);
  frees(9, gpu);
  finishes(gpu);
  frees(8, gpu);
  expect_fine();
}

TEST_F(Watch, ComparesWithWhatWaitsAlready) {
  waiting[gpu] = 6;
  finishes(cpu);
  frees(7, gpu);
  finishes(gpu);
  expect_fine();
}

TEST_F(Watch, DoubtsWhatAFreeSlotTakesOfTwo) {
  occupied[comm] = false;
  finishes(cpu);
  frees(7, comm);
  finishes(gpu);
  frees(8, comm);
  expect_doubt();
}

TEST_F(Watch, DoubtsTheOrderOfReceivesThatTwoFree) {
  finishes(cpu);
  frees(7, none);
  finishes(gpu);
  frees(8, none);
  expect_doubt();
}

TEST_F(Watch, LooksAtOneInstantAndRankAtATime) {
  FinishOrderChecker of_two(2);
  of_two.finishes(RankId(0), now, cpu, waiting, occupied);
  of_two.frees(RankId(0), now, 7, gpu);
  of_two.finishes(RankId(1), now, gpu, waiting, occupied);
  of_two.frees(RankId(1), now, 8, gpu);
  of_two.finishes(RankId(0), now + now, gpu, waiting, occupied);
  of_two.frees(RankId(0), now + now, 8, gpu);
  EXPECT_NO_THROW(of_two.end());
}

TEST_F(Watch, SaysSoWhenTheNextInstantBegins) {
  finishes(cpu);
  frees(7, gpu);
  finishes(gpu);
  frees(8, gpu);
  EXPECT_THROW(watch.finishes(RankId(0), now + now, cpu, waiting, occupied), AmbiguousEventOrder);
}

}  // namespace
}  // namespace orrery::core::finish_order_checker_test
