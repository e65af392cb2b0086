// The windows of TCP, packet by packet, against the formulas of their RFCs. A test plays sender and network.
#include <gtest/gtest.h>

#include <cmath>

#include "network/packet/congestion/congestion_kinds.hpp"

namespace orrery::core::tcp_test {
namespace {

constexpr std::uint32_t payload = 1000;

class NoTimers final : public CongestionTimers {
 public:
  void set(const Sender&, std::uint8_t, Stamp) override { FAIL() << "TCP's controls set no timers"; }
  void stop(const Sender&, std::uint8_t) override {}
};

class Tcp {
 public:
  explicit Tcp(const CongestionKind& kind, double initial_window = 10, std::uint64_t allowed = 0)
      : clock_(false) {
    settings_.kind = &kind;
    settings_.gain = kind.gain;
    settings_.initial_window = initial_window;
    control_ = kind.make({settings_, clock_, timers_, payload, 1});
    sender.window = allowed;
    control_->begin(sender);
    fill();
  }

  // Packets of the window.
  double window() const { return static_cast<double>(sender.window) / payload; }
  // The oldest packet is acknowledged, and others are sent.
  void acknowledge(bool marked = false) {
    sender.acknowledged += payload;
    control_->acknowledged(sender, {.sequence = sender.acknowledged, .marked = marked, .rtt = rtt}, now);
    fill();
  }
  // Acknowledges as many packets as are under way.
  void acknowledge_window(bool marked = false) {
    const std::uint64_t end = sender.sent;
    while (sender.acknowledged < end) acknowledge(marked);
    now += rtt;
  }
  void lose() { control_->lost(sender, now); }
  void time_out() { control_->timed_out(sender, now); }
  void fill() { sender.sent = std::max(sender.sent, sender.acknowledged + sender.window); }

  Sender sender;
  Stamp now = 0, rtt = 100'000'000;

 private:
  CongestionSettings settings_;
  PacketClock clock_;
  NoTimers timers_;
  std::unique_ptr<CongestionControl> control_;
};

const CongestionKind* const kinds[] = {&tcp_new_reno_control, &tcp_cubic_control, &tcp_dctcp_control};

// RFC 5681, section 3.1.
TEST(Tcp, SlowStartDoublesTheWindowInARoundTrip) {
  for (const CongestionKind* kind : kinds) {
    Tcp tcp(*kind, 4);
    for (const double window : {4, 8, 16, 32}) {
      EXPECT_EQ(tcp.window(), window) << kind->name;
      tcp.acknowledge_window();
    }
  }
}

TEST(Tcp, AReceiverBoundsTheWindow) {
  for (const CongestionKind* kind : kinds) {
    Tcp tcp(*kind, 4, 20 * payload);
    for (int round = 0; round < 10; ++round) tcp.acknowledge_window();
    EXPECT_EQ(tcp.window(), 20) << kind->name;
  }
}

// RFC 5681, equation 4 and section 3.1: a loss halves what is under way, a timeout leaves one packet, and
// slow start then ends at half of what was under way.
TEST(Tcp, ALossHalvesTheWindowOfNewRenoWhichThenGrowsByAPacketPerRoundTrip) {
  Tcp tcp(tcp_new_reno_control, 64);
  tcp.lose();
  EXPECT_EQ(tcp.window(), 32);
  tcp.acknowledge_window();  // of before the loss: two windows
  const double before = tcp.window();
  EXPECT_NEAR(before, 34, 1);
  for (int round = 1; round <= 20; ++round) {
    tcp.acknowledge_window();
    EXPECT_NEAR(tcp.window(), before + round, 1);
  }
  tcp.time_out();
  EXPECT_EQ(tcp.window(), 1);
  tcp.sender.sent = tcp.sender.acknowledged + tcp.sender.window;
  for (const double window : {2, 4, 8, 16}) {
    tcp.acknowledge_window();
    EXPECT_EQ(tcp.window(), window);
  }
}

// RFC 9438, equations 1 and 2. At a round trip of 100 ms the cubic function is faster than an additive
// increase.
TEST(Tcp, AfterALossCubicFollowsItsFunctionOfTime) {
  Tcp tcp(tcp_cubic_control, 1000);
  tcp.rtt = 100'000'000'000;
  tcp.lose();
  EXPECT_EQ(tcp.window(), 700);
  const double k = std::cbrt(1000 * (1 - 0.7) / 0.4);
  // The next window still answers to what was sent before the loss.
  tcp.sender.sent = tcp.sender.acknowledged + tcp.sender.window;
  double worst = 0;
  for (double t = 0; t < 1.5 * k; t += 0.1) {
    tcp.acknowledge_window();
    const double there = static_cast<double>(tcp.now) * 1e-12;
    const double ideal = 0.4 * std::pow(there - k, 3) + 1000;
    worst = std::max(worst, std::abs(tcp.window() - ideal) / ideal);
  }
  EXPECT_LT(worst, 0.02);
}

// Below some milliseconds the additive increase governs: 3 * 0.3 / 1.7 packets in a round trip, up to the
// window before the loss, and then one (RFC 9438, section 4.3).
TEST(Tcp, AtShortRoundTripsCubicGrowsAsAnAdditiveIncrease) {
  Tcp tcp(tcp_cubic_control, 100);
  tcp.lose();
  tcp.sender.sent = tcp.sender.acknowledged + tcp.sender.window;
  double estimate = tcp.window();
  EXPECT_EQ(estimate, 70);
  for (int round = 0; round < 100; ++round) {
    tcp.acknowledge_window();
    estimate += estimate < 100 ? 3 * 0.3 / 1.7 : 1;
    EXPECT_NEAR(tcp.window(), estimate, 0.03 * estimate) << round;
  }
}

// RFC 9438, section 4.7.
TEST(Tcp, CubicGivesUpMoreWhereASecondLossComesSooner) {
  Tcp tcp(tcp_cubic_control, 1000);
  tcp.rtt = 100'000'000'000;
  tcp.lose();
  tcp.lose();  // at 700, below 1000
  EXPECT_NEAR(tcp.window(), 490, 1);
  tcp.sender.sent = tcp.sender.acknowledged + tcp.sender.window;
  const double most = 700 * (1 + 0.7) / 2, k = std::cbrt((most - 490) / 0.4);
  while (static_cast<double>(tcp.now) * 1e-12 < k) tcp.acknowledge_window();
  EXPECT_NEAR(tcp.window(), most, 0.02 * most);
}

// RFC 8257, section 3.3, worked out apart from the sources: a share of the windows is marked.
TEST(Tcp, DctcpShrinksByHalfOfTheAverageShareOfMarks) {
  Tcp tcp(tcp_dctcp_control, 20);
  double alpha = 1, window = 20;
  bool slow = true;
  for (int round = 0; round < 200; ++round) {
    const bool marked = round % 3 == 0;
    // All of a window, or nothing, is marked. The first mark of a window comes with its first packet, after
    // the average has taken note of the window before.
    const std::uint64_t packets = (tcp.sender.sent - tcp.sender.acknowledged) / payload;
    tcp.acknowledge_window(marked);
    if (marked) {
      window *= 1 - alpha / 2;
      window = std::max(window, 2.0);
      slow = false;
    }
    for (std::uint64_t i = 0; i < packets; ++i) window += slow ? 1 : 1 / window;
    alpha += (marked ? 1.0 - alpha : -alpha) / 16;
    EXPECT_NEAR(tcp.window(), window, 0.1 * window + 1) << round;
  }
}

// RFC 3168, section 6.1.2: marks count as a loss, once in a window.
TEST(Tcp, MarksHalveTheWindowOnceInAWindow) {
  Tcp tcp(tcp_new_reno_control, 64);
  tcp.acknowledge(true);
  EXPECT_NEAR(tcp.window(), 32, 1);
  for (int i = 0; i < 40; ++i) tcp.acknowledge(true);
  EXPECT_NEAR(tcp.window(), 33, 1);
}

}  // namespace
}  // namespace orrery::core::tcp_test
