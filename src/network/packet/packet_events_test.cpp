#include "network/packet/packet_events.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"

namespace orrery::core::packet_events_test {
namespace {

// Events come at times that are near, far, or before what next() has announced, as when a message is sent
// while nothing but timeouts is left.
TEST(PacketEvents, ComeInTheOrderOfTheirTimesAndNumbers) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    PacketEvents events;
    std::map<std::pair<Stamp, std::uint64_t>, bool> expected;
    std::uint64_t number = 0;
    Stamp now = 0;
    for (int i = 0; i < 2000; ++i) {
      const bool is_burst = random.chance(2);
      for (int k = is_burst ? random.between(1, 60) : random.chance(50); k > 0; --k) {
        const Stamp ahead =
            random.pick<Stamp>({0, 6'720, 334'240, 1'334'240, 1'334'240, random.between(0, 1000),
                                random.between(0, 3'000'000), random.between(0, 2'000'000'000)});
        const std::uint64_t order = ++number << PacketEvent::what_bits;
        const auto object = static_cast<std::uint32_t>(number);
        if (random.chance(10))
          events.push_apart({now + ahead, order, object, 0});
        else
          events.push(now + ahead, order, object, 0);
        expected[{now + ahead, number}] = true;
      }
      ASSERT_EQ(events.size(), expected.size());
      if (expected.empty()) {
        ASSERT_EQ(events.next(), PacketEvents::never);
        continue;
      }
      ASSERT_EQ(events.next(), expected.begin()->first.first) << "seed " << seed;
      if (random.chance(40)) continue;
      const PacketEvent taken = events.pop();
      ASSERT_EQ(std::pair(taken.at, taken.order()), expected.begin()->first) << "seed " << seed;
      ASSERT_EQ(taken.object, taken.order());
      now = taken.at;
      expected.erase(expected.begin());
    }
  }
}

}  // namespace
}  // namespace orrery::core::packet_events_test
