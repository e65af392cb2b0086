// Tests the rules of delayed call-backs in docs/models/chunk-flow.md, Order within an instant.
#include "events/rank_timers.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace orrery::core::rank_timers_test {
namespace {

constexpr Time ns(std::int64_t count) {
  return Time::from_ns(count);
}

// Writes down the letters of the events it handles; a letter may have an action.
class RankTimersTest : public testing::Test, private EventHandler {
 protected:
  void after(std::uint32_t rank, Time delay, char letter) {
    timers.after(ClassId(rank), delay, event(letter));
  }
  void global(Time delay, char letter) { loop.after(loop.clock().span(delay), event(letter)); }
  std::string run() {
    loop.run({});
    return log;
  }

  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  RankTimers timers{loop, 2};
  std::map<char, std::function<void()>> actions;

 private:
  void handle(const Event& handled) override {
    const char letter = static_cast<char>(handled.what);
    log += letter;
    if (actions.contains(letter)) actions[letter]();
  }
  Event event(char letter) const { return Event{handler, static_cast<std::uint16_t>(letter), 0, 0, 0}; }

  std::uint16_t handler = loop.add_handler(*this);
  std::string log;
};

TEST_F(RankTimersTest, RunsAtTheGivenTime) {
  after(1, ns(7), 'b');
  after(0, ns(3), 'a');
  actions['a'] = [&] { EXPECT_EQ(loop.time(), ns(3)); };
  actions['b'] = [&] { EXPECT_EQ(loop.time(), ns(7)); };
  EXPECT_EQ(run(), "ab");
}

TEST_F(RankTimersTest, SameRankAndTimeRunAtThePlaceOfTheFirstRegistration) {
  after(0, ns(5), 'a');
  global(ns(5), 'c');
  after(0, ns(5), 'b');
  EXPECT_EQ(run(), "abc");
  EXPECT_EQ(loop.events(), 2u);  // one for the rank, one global
}

TEST_F(RankTimersTest, JoinsAlsoWhenRegisteredLater) {
  global(ns(4), '1');
  actions['1'] = [&] { after(0, ns(6), 'b'); };
  after(0, ns(10), 'a');
  global(ns(10), 'c');
  EXPECT_EQ(run(), "1abc");
}

TEST_F(RankTimersTest, RanksDoNotJoinEachOther) {
  after(0, ns(5), 'a');
  after(1, ns(5), 'c');
  after(0, ns(5), 'b');
  after(1, ns(5), 'd');
  EXPECT_EQ(run(), "abcd");
  EXPECT_EQ(loop.events(), 2u);
}

TEST_F(RankTimersTest, SeveralTimesOfARankAreToldApart) {
  after(0, ns(5), 'b');
  after(0, ns(9), 'd');
  after(0, ns(3), 'a');
  after(0, ns(9), 'e');
  actions['b'] = [&] {
    after(0, ns(4), 'f');
    after(0, ns(1), 'c');
  };
  EXPECT_EQ(run(), "abcdef");
  EXPECT_EQ(loop.events(), 4u);  // at 3, 5, 6 and 9 ns
}

// Whatever their order, call-backs of one time find each other among many of other times.
TEST_F(RankTimersTest, ManyTimesInAnyOrderAreToldApart) {
  for (int i = 0; i < 26; ++i) after(0, ns(1 + i * 7 % 26), static_cast<char>('A' + i * 7 % 26));
  for (int i = 0; i < 26; ++i) after(0, ns(1 + i * 11 % 26), static_cast<char>('a' + i * 11 % 26));
  EXPECT_EQ(run(), "AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz");
  EXPECT_EQ(loop.events(), 26u);
}

TEST_F(RankTimersTest, AtOnceWhileTheListRunsJoinsIt) {
  after(0, ns(5), 'a');
  global(ns(5), 'd');
  after(0, ns(5), 'b');
  actions['a'] = [&] { after(0, Time(), 'c'); };
  EXPECT_EQ(run(), "abcd");
}

TEST_F(RankTimersTest, AtOnceForAnotherRankGoesBehindWhatIsThere) {
  after(0, ns(5), 'a');
  global(ns(5), 'b');
  actions['a'] = [&] { after(1, Time(), 'c'); };
  EXPECT_EQ(run(), "abc");
}

TEST_F(RankTimersTest, AtOnceAfterTheListHasRunMakesANewEventBehindWhatIsThere) {
  after(0, ns(5), 'a');
  global(ns(5), 'b');
  global(ns(5), 'c');
  actions['b'] = [&] { after(0, Time(), 'd'); };
  EXPECT_EQ(run(), "abcd");
  EXPECT_EQ(loop.events(), 4u);
}

TEST_F(RankTimersTest, TellWhetherMoreFollowsTheCallBackAtWork) {
  after(0, ns(5), 'a');
  after(0, ns(5), 'b');
  after(0, ns(5), 'c');
  after(1, ns(5), 'd');
  std::string last;
  const auto note = [&] {
    last += timers.at_last_of(ClassId(0)) ? '0' : timers.at_last_of(ClassId(1)) ? '1' : '-';
  };
  for (char letter : {'a', 'b', 'd'}) actions[letter] = note;
  actions['c'] = [&] {
    note();
    after(0, Time(), 'e');
    note();
  };
  actions['e'] = note;
  EXPECT_FALSE(timers.at_last_of(ClassId(0)));
  EXPECT_EQ(run(), "abced");
  EXPECT_EQ(last, "--0-01");
  EXPECT_FALSE(timers.at_last_of(ClassId(1)));
}

// With fractional times call-backs belong to the whole nanosecond, and run when the one that was registered
// first is due (docs/models/chunk-flow.md, Fractional times).
TEST(RankTimersOnRealNanoseconds, JoinByWholeNanosecond) {
  struct Log : EventHandler {
    void handle(const Event& event) override { numbers.push_back(event.what); }
    std::vector<int> numbers;
  } log;
  const Clock clock(Clock::Mode::binary64_nanoseconds);
  EventLoop loop(clock);
  RankTimers timers(loop, 1);
  const std::uint16_t handler = loop.add_handler(log);
  timers.after(ClassId(0), ns(10), Event{handler, 1, 0, 0, 0});
  loop.at(clock.span_of_ns(10), Event{handler, 3, 0, 0, 0});
  struct Register : EventHandler {
    explicit Register(std::function<void()> f) : act(std::move(f)) {}
    void handle(const Event&) override { act(); }
    std::function<void()> act;
  } at_2_7([&] { timers.after(ClassId(0), ns(8), Event{handler, 2, 0, 0, 0}); });  // 2.7 + 8 falls into 10
  loop.at(clock.span_of_ns(2.7), Event{loop.add_handler(at_2_7), 0, 0, 0, 0});
  loop.run({});
  EXPECT_EQ(log.numbers, (std::vector{1, 2, 3}));
}

}  // namespace
}  // namespace orrery::core::rank_timers_test
