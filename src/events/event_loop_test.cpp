#include "events/event_loop.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orrery::core::event_loop_test {
namespace {

// Writes down what it handles and when; event 1 schedules event 4 for the same instant, event 3 event 5.
class Log final : public EventHandler {
 public:
  explicit Log(EventLoop& loop) : loop_(loop), handler_(loop.add_handler(*this)) {}
  void handle(const Event& event_now) override {
    seen.emplace_back(loop_.now(), event_now.what);
    if (event_now.what == 1) {
      loop_.at_end_of_instant(event(3));
      loop_.after(0, event(4));
    }
    if (event_now.what == 3) loop_.after(0, event(5));
  }
  Event event(std::uint16_t what) const { return {handler_, what, 0, 0, 0}; }

  std::vector<std::pair<Stamp, int>> seen;

 private:
  EventLoop& loop_;
  std::uint16_t handler_;
};

TEST(EventLoop, AnInstantEndsWhenNothingElseIsLeftInIt) {
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  Log log(loop);
  loop.at(7, log.event(1));
  loop.at(7, log.event(2));
  loop.at(9, log.event(6));
  loop.run({});
  EXPECT_EQ(log.seen, (std::vector<std::pair<Stamp, int>>{{7, 1}, {7, 2}, {7, 4}, {7, 3}, {7, 5}, {9, 6}}));
}

TEST(EventLoop, TheLastInstantEndsToo) {
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  Log log(loop);
  loop.at_end_of_instant(log.event(2));  // before the first event
  loop.run({});
  EXPECT_EQ(log.seen, (std::vector<std::pair<Stamp, int>>{{0, 2}}));
}

TEST(EventLoop, ReportsProgressEveryFewTenThousandEvents) {
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  Log log(loop);
  for (Stamp at = 0; at < 200'000; ++at) loop.at(at, log.event(2));
  int reports = 0;
  loop.run([&] { ++reports; });
  EXPECT_EQ(loop.events(), 200'000u);
  EXPECT_GE(reports, 2);
  EXPECT_LE(reports, 20);
}

}  // namespace
}  // namespace orrery::core::event_loop_test
