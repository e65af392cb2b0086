#include "events/event_queue.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/random.hpp"

namespace orrery::core::event_queue_test {
namespace {

Event numbered(std::uint32_t number) {
  return Event{0, 0, 0, number, 0};
}

// The model that the queue has to match: a multimap, which keeps equal keys in order of insertion.
class Model {
 public:
  void push(Stamp stamp) {
    events_.emplace(stamp, pushed_);
    queue_.push(stamp, numbered(pushed_++));
  }
  // Pops from both and returns the time.
  Stamp pop() {
    Stamp stamp = -1;
    Event event;
    EXPECT_TRUE(queue_.pop(stamp, event));
    EXPECT_EQ(stamp, events_.begin()->first);
    EXPECT_EQ(event.object, events_.begin()->second);
    events_.erase(events_.begin());
    return stamp;
  }
  std::size_t size() const { return events_.size(); }
  bool is_empty() {
    Stamp stamp;
    Event event;
    return !queue_.pop(stamp, event);
  }

 private:
  EventQueue queue_;
  std::multimap<Stamp, std::uint32_t> events_;
  std::uint32_t pushed_ = 0;
};

TEST(EventQueue, PopsByStampThenByOrderOfPushing) {
  Model model;
  for (Stamp stamp : {30, 10, 20, 10, 30, 10}) model.push(stamp);
  while (model.size() > 0) model.pop();
  EXPECT_TRUE(model.is_empty());
}

TEST(EventQueue, RunsEventsPushedForTheCurrentStampBehindThoseThere) {
  EventQueue queue;
  queue.push(5, numbered(0));
  queue.push(5, numbered(1));
  Stamp stamp;
  Event event;
  ASSERT_TRUE(queue.pop(stamp, event));
  queue.push(5, numbered(2));
  for (std::uint32_t expected : {1u, 2u}) {
    ASSERT_TRUE(queue.pop(stamp, event));
    EXPECT_EQ(stamp, 5);
    EXPECT_EQ(event.object, expected);
  }
  queue.push(5, numbered(3));  // the stamp's bucket has been emptied by now
  ASSERT_TRUE(queue.pop(stamp, event));
  EXPECT_EQ(event.object, 3u);
  EXPECT_FALSE(queue.pop(stamp, event));
  queue.push(5, numbered(4));  // and now given back
  ASSERT_TRUE(queue.pop(stamp, event));
  EXPECT_EQ(event.object, 4u);
}

TEST(EventQueue, SaysWhatComesNext) {
  EventQueue queue;
  const auto ahead = [&] {
    std::vector<std::uint32_t> seen;
    const auto see = [&](const Event& event) { seen.push_back(event.object); };
    queue.look_ahead(see, see);
    return seen;
  };
  EXPECT_TRUE(ahead().empty());
  for (std::uint32_t number : {0u, 1u, 2u}) queue.push(5, numbered(number));
  queue.push(7, numbered(3));
  EXPECT_EQ(ahead().front(), 0u);
  Stamp stamp;
  Event event;
  ASSERT_TRUE(queue.pop(stamp, event));
  EXPECT_EQ(ahead(), (std::vector<std::uint32_t>{1, 2, 3}));
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(queue.pop(stamp, event));
  EXPECT_EQ(ahead(), (std::vector<std::uint32_t>{3}));
}

// `spread` far above 1024 pending stamps makes many of them share a slot of the queue's cache.
void push_and_pop_at_random(std::uint64_t seed, int spread) {
  Random random(seed);
  Model model;
  Stamp now = 0;
  for (int step = 0; step < 20'000 && !testing::Test::HasFailure(); ++step) {
    if (model.size() == 0 || random.chance(step < 10'000 ? 65 : 35)) {
      model.push(now + (random.chance(20) ? 0 : random.between(0, spread)));
    } else {
      now = model.pop();
    }
  }
  while (model.size() > 0 && !testing::Test::HasFailure()) model.pop();
  EXPECT_TRUE(model.is_empty());
}

TEST(EventQueue, AgreesWithAMultimapOnRandomPushesAndPops) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    push_and_pop_at_random(seed, 3);
    push_and_pop_at_random(seed, 100'000);
    push_and_pop_at_random(seed, 5'000);
  }
}

}  // namespace
}  // namespace orrery::core::event_queue_test
