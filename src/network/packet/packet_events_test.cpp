#include "network/packet/packet_events.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"

namespace orrery::packet_events_test {
namespace {

PacketEvent event(Stamp at, std::uint64_t number) {
  return {at, number << PacketEvent::what_bits, static_cast<std::uint32_t>(number), 0};
}

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
        if (random.chance(10))
          events.push_apart(event(now + ahead, ++number));
        else
          events.push(event(now + ahead, ++number));
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
      now = taken.at;
      expected.erase(expected.begin());
    }
  }
}

}  // namespace
}  // namespace orrery::packet_events_test
