// Tests the rules of docs/models/contention.md, In a run, on times worked out by hand.
#include "simulate/contention/endpoint_contention.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace orrery::core::endpoint_contention_test {
namespace {

constexpr Time ns(std::int64_t count) {
  return Time::from_ns(count);
}
constexpr std::uint32_t fifth = 200'000;  // parts per million

// Notes when computations and collectives end.
class EndpointContentionTest : public testing::Test, private EventHandler {
 protected:
  void at(Time time, std::function<void()> action) {
    actions.push_back(std::move(action));
    const auto number = static_cast<std::uint32_t>(actions.size() - 1);
    loop.after(loop.clock().span(time), Event{handler, acts, 0, number, 0});
  }
  void compute(std::uint32_t id, Time alone, const Contention& contention) {
    endpoints.compute(rank, id, alone, contention);
  }
  void join(std::uint32_t id) { endpoints.join(rank, id); }
  void arrive(std::uint32_t id) {
    if (endpoints.arrive(rank, id)) ends[id] = loop.time();
  }
  void run() { loop.run({}); }

  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  RankTimers timers{loop, 1};
  std::map<std::uint32_t, Time> ends;

 private:
  enum What : std::uint16_t { acts, ends_by_itself };
  void handle(const Event& event) override {
    if (event.what == acts) actions[event.object]();
    if (event.what != ends_by_itself) return;
    if (const auto end = endpoints.ended(event)) ends[end->id] = loop.time();
  }

  const ClassId rank{0};
  std::vector<std::function<void()>> actions;
  std::uint16_t handler = loop.add_handler(*this);

 protected:
  EndpointContention endpoints{loop, timers, 1, {handler, ends_by_itself}};
};

TEST_F(EndpointContentionTest, AloneBothTakeTheirTime) {
  at(ns(0), [&] { compute(1, ns(1000), {ns(500), fifth}); });
  at(ns(2000), [&] { join(2); });
  at(ns(2300), [&] { arrive(2); });
  run();
  EXPECT_EQ(ends[1], ns(1000));
  EXPECT_EQ(ends[2], ns(2300));
  EXPECT_EQ(endpoints.longer(ClassId(0)), Time());
}

// Beside the collective the computation goes on at two thirds of its speed: 300 ns of it are done at 450, and
// the other 700 take as long as they do alone.
TEST_F(EndpointContentionTest, AComputationIsSlowerWhileACollectiveIsUnderWay) {
  at(ns(0), [&] {
    compute(1, ns(1000), {ns(500), 0});
    join(2);
  });
  at(ns(450), [&] { arrive(2); });
  run();
  EXPECT_EQ(ends[2], ns(450));
  EXPECT_EQ(ends[1], ns(1150));
  EXPECT_EQ(endpoints.longer(ClassId(0)), ns(150));
}

// Beside the computation the collective loses a fifth: 80 ns until the network is through at 400, for which
// 100 ns make up, as the computation goes on. Until then the computation has done 500 / 1.5 ns.
TEST_F(EndpointContentionTest, ACollectiveMakesUpForWhatItLost) {
  at(ns(0), [&] {
    compute(1, ns(1000), {ns(500), fifth});
    join(2);
  });
  at(ns(400), [&] { arrive(2); });
  run();
  EXPECT_EQ(ends[2], ns(500));
  EXPECT_NEAR(ends[1].ns(), 500 + 1000 - 500 / 1.5, 0.002);
}

// What is lost while a rank computes is made up for at full speed when it does not.
TEST_F(EndpointContentionTest, ACollectiveMakesUpFasterBesideNoComputation) {
  at(ns(0), [&] {
    join(2);
    compute(1, ns(200), {Time(), fifth});
  });
  at(ns(300), [&] { arrive(2); });
  run();
  EXPECT_EQ(ends[1], ns(200));
  EXPECT_EQ(ends[2], ns(340));
}

// A collective that joins later has lost nothing before.
TEST_F(EndpointContentionTest, CountsOnlyWhatWasLostSinceARankJoined) {
  at(ns(0), [&] {
    join(2);
    compute(1, ns(1000), {Time(), fifth});
  });
  at(ns(500), [&] { join(3); });
  at(ns(600), [&] { arrive(3); });
  at(ns(1200), [&] { arrive(2); });
  run();
  EXPECT_EQ(ends[1], ns(1000));
  EXPECT_EQ(ends[3], ns(625));   // 20 ns at four fifths of the speed
  EXPECT_EQ(ends[2], ns(1400));  // 200 ns
}

// The computation is slow until the last of the collectives has ended.
TEST_F(EndpointContentionTest, SeveralCollectivesSlowAComputationDownAsOneDoes) {
  at(ns(0), [&] {
    compute(1, ns(1000), {ns(1000), 0});
    join(2);
  });
  at(ns(100), [&] { join(3); });
  at(ns(200), [&] { arrive(2); });
  at(ns(400), [&] { arrive(3); });
  run();
  EXPECT_EQ(ends[1], ns(1200));
}

}  // namespace
}  // namespace orrery::core::endpoint_contention_test
