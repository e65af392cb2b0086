#include "network/packet/flow_control/shared_buffer.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"

namespace orrery::core::shared_buffer_test {
namespace {

struct Waiting {
  std::size_t port;
  int priority;
  std::uint32_t bytes;
};

bool are_equal(const IngressUse& one, const IngressUse& other) {
  for (std::size_t priority = 0; priority < priorities; ++priority)
    if (one.use[priority].common != other.use[priority].common ||
        one.use[priority].headroom != other.use[priority].headroom)
      return false;
  return one.all == other.all;
}

// Wherever a packet may pass, taking it in and letting it leave at once asks nobody to pause, and leaves the
// buffer and its peak as passing does.
TEST(SharedBuffer, PassingIsTakingInAndLeavingAtOnce) {
  std::size_t passed = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    SharedBufferSettings settings;
    settings.reserve = static_cast<std::uint32_t>(random.between(0, 5000));
    settings.bytes = 300'000;
    if (random.chance(10)) settings.pause_above = 3, settings.resume_below = 2;
    const bool pauses = !random.chance(20);
    SharedBuffer buffer(*settings.bytes, static_cast<std::uint32_t>(random.between(5000, 200'000)), settings,
                        4096, pauses);
    std::vector<IngressUse> ports(3);
    for (IngressUse& port : ports) {
      port.headroom = static_cast<std::uint32_t>(random.between(0, 20'000));
      port.shift = random.between(0, 3);
    }
    std::vector<Waiting> waiting;
    for (int i = 0; i < 300; ++i) {
      const auto at = static_cast<std::size_t>(random.between(0, 2));
      IngressUse& port = ports[at];
      const int priority = random.between(1, 2);
      const auto bytes = static_cast<std::uint32_t>(random.between(64, 4200));
      SharedBuffer in_and_out = buffer, passing = buffer;
      IngressUse used = port;
      if (passing.pass(port, priority, bytes)) {
        ++passed;
        ASSERT_TRUE(in_and_out.admit(used, priority, bytes)) << "seed " << seed;
        ASSERT_FALSE(in_and_out.should_pause(used, priority)) << "seed " << seed;
        in_and_out.release(used, priority, bytes);
        ASSERT_TRUE(are_equal(used, port)) << "seed " << seed;
        ASSERT_EQ(in_and_out.in_use(), passing.in_use());
        ASSERT_EQ(in_and_out.peak(), passing.peak());
        ASSERT_EQ(in_and_out.should_pause(used, priority), passing.should_pause(port, priority));
      } else {
        ++refused;
      }
      if (buffer.admit(port, priority, bytes)) {
        waiting.push_back({at, priority, bytes});
        if (buffer.should_pause(port, priority)) port.paused |= 1u << priority;
      }
      if (waiting.empty() || random.chance(60)) continue;
      const Waiting first = waiting.front();
      waiting.erase(waiting.begin());
      IngressUse& left = ports[first.port];
      buffer.release(left, first.priority, first.bytes);
      if (buffer.should_resume(left, first.priority)) left.paused &= ~(1u << first.priority);
    }
  }
  EXPECT_GT(passed, 1000u);
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace orrery::core::shared_buffer_test
