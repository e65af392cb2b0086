// The rates of DCQCN and TIMELY against the rules of their papers, which the tests work out apart from the
// sources. A test plays the network and the clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/hpcc_rate.hpp"

namespace orrery::core::rate_controls_test {
namespace {

constexpr std::uint64_t line = 100'000'000'000;
constexpr Stamp us = 1'000'000;

class Player final : private CongestionTimers {
 public:
  explicit Player(const CongestionSettings& settings, Stamp base_rtt = 0)
      : settings_(settings), clock_(false) {
    sender.rate = sender.line_rate = line;
    sender.base_rtt = base_rtt;
    control_ = settings.kind->make({settings_, clock_, *this, 1000, 1});
    control_->begin(sender);
  }

  void acknowledge(bool marked, Stamp rtt = 10 * us) {
    sender.acknowledged += 1000;
    sender.sent = sender.acknowledged + 10'000;
    control_->acknowledged(sender, {.sequence = sender.acknowledged, .marked = marked, .rtt = rtt}, now);
  }
  void lose() { control_->lost(sender, now); }
  void time_out() { control_->timed_out(sender, now); }
  // Acknowledges all that has been sent, which ends a round.
  void end_round(Stamp rtt) {
    sender.acknowledged = sender.sent + 1;
    sender.sent = sender.acknowledged + 10'000;
    control_->acknowledged(sender, {.sequence = sender.acknowledged, .marked = false, .rtt = rtt}, now);
  }
  // Runs the timers up to a time; those of the same time in the order in which they were set.
  void run_until(Stamp end) {
    while (true) {
      const auto next = std::ranges::min_element(timers_);
      if (next->at > end) break;
      now = next->at;
      next->at = never;
      control_->timer(sender, static_cast<std::uint8_t>(next - timers_.begin()), now);
    }
    now = end;
  }

  Sender sender;
  Stamp now = 0;

 private:
  static constexpr Stamp never = std::numeric_limits<Stamp>::max();
  struct Timer {
    Stamp at = never;
    int order = 0;
    auto operator<=>(const Timer&) const = default;
  };

  void set(const Sender&, std::uint8_t timer, Stamp at) override { timers_[timer] = {at, ++set_}; }
  void stop(const Sender&, std::uint8_t timer) override { timers_[timer].at = never; }

  CongestionSettings settings_;
  PacketClock clock_;
  std::array<Timer, max_timers> timers_;
  int set_ = 0;
  std::unique_ptr<CongestionControl> control_;
};

CongestionSettings dcqcn(int fast_steps) {
  CongestionSettings settings;
  settings.kind = &dcqcn_control;
  settings.dcqcn.fast_recovery_steps = fast_steps;
  return settings;
}

// One mark with alpha = 1 halves the rate. The i-th step of fast recovery leaves C / 2 / 2^i of the route.
TEST(RateControls, DcqcnRecoversByHalves) {
  Player player(dcqcn(8));
  player.acknowledge(true);
  player.run_until(5 * us);
  EXPECT_EQ(player.sender.rate, line / 2);
  for (int i = 1; i <= 8; ++i) {
    player.run_until((5 + 300 * i) * us);
    EXPECT_NEAR(static_cast<double>(player.sender.rate), line - line / 2.0 / std::pow(2, i), 10) << i;
  }
}

// After k updates without a mark alpha is (1 - g)^k, by which the next mark lowers the rate.
TEST(RateControls, DcqcnForgetsMarks) {
  for (const int updates : {1, 10, 100}) {
    CongestionSettings settings = dcqcn(1);
    settings.dcqcn.increase_interval_ps = 1'000'000 * us;  // never
    Player player(settings);
    player.acknowledge(true);
    player.run_until((55 * updates + 1) * us);
    player.acknowledge(true);
    player.run_until((55 * updates + 6) * us);
    const double alpha = std::pow(1 - 1.0 / 256, updates);
    EXPECT_NEAR(static_cast<double>(player.sender.rate), line / 2.0 * (1 - alpha / 2), 10) << updates;
  }
}

// Marks come at random. The rules are worked out in steps of a microsecond.
TEST(RateControls, DcqcnFollowsItsRulesUnderAnyMarks) {
  Random random(7);
  Player player(dcqcn(1));
  double alpha = 1, rate = line, target = line;
  bool marked_for_alpha = false, marked_for_decrease = false, controlled = false, decreased = false;
  int to_alpha = 0, to_check = 0, to_increase = 0, increases = 0;
  for (int t = 0; t < 20'000; ++t) {
    player.run_until(t * us + us / 2);
    if (controlled && --to_alpha == 0) {
      alpha += ((marked_for_alpha ? 1 : 0) - alpha) / 256;
      marked_for_alpha = false;
      to_alpha = 55;
    }
    if (random.chance(1)) {
      player.acknowledge(true);
      marked_for_alpha = controlled;
      marked_for_decrease = true;
      if (!controlled) {
        controlled = true;
        to_alpha = 55;
        to_check = 5;  // counted from this step on
        target = rate;
      }
    }
    if (!controlled) continue;
    const bool check = --to_check == 0;
    if (check) to_check = 4;
    if (decreased && --to_increase == 0) {
      if (increases >= 1) target = std::min<double>(line, target + (increases == 1 ? 50e6 : 100e6));
      rate = (rate + target) / 2;
      ++increases;
      to_increase = 300;
    }
    if (check && marked_for_decrease) {
      if (increases > 0) target = rate;
      rate = std::max(100e6, rate * (1 - alpha / 2));
      increases = 0;
      marked_for_decrease = false;
      decreased = true;
      to_increase = 300;
    }
    player.run_until((t + 1) * us + us / 2 - 1);
    ASSERT_NEAR(static_cast<double>(player.sender.rate), rate, 1e-6 * rate) << t;
  }
}

CongestionSettings timely() {
  CongestionSettings settings;
  settings.kind = &timely_control;
  return settings;
}

// Section 3.4 of the paper: a loss leaves half of the window, once in a round trip.
TEST(RateControls, SwiftHalvesItsWindowForLosses) {
  CongestionSettings settings;
  settings.kind = &swift_control;
  Player player(settings, 40 * us);
  player.now = 100 * us;
  player.acknowledge(false, 40 * us);
  const auto rate = static_cast<double>(player.sender.rate);
  player.lose();
  EXPECT_NEAR(static_cast<double>(player.sender.rate), rate / 2, 2);
  player.now += 10 * us;
  player.lose();
  player.time_out();
  EXPECT_NEAR(static_cast<double>(player.sender.rate), rate / 2, 2);
  player.now += 40 * us;
  player.lose();
  EXPECT_NEAR(static_cast<double>(player.sender.rate), rate / 4, 2);
  for (int timeout = 0; timeout < 5; ++timeout) player.time_out();
  EXPECT_EQ(player.sender.rate, settings.min_rate);
}

// Below the lower threshold the rate grows by a step per round, by a larger one after five, and never beyond
// the line.
TEST(RateControls, TimelyGrowsBySteps) {
  Player player(timely());
  player.sender.rate = 1'000'000'000;
  player.end_round(20 * us);  // the first one is only remembered
  std::uint64_t rate = 1'000'000'000;
  for (int i = 1; i <= 30; ++i) {
    player.end_round(20 * us);
    rate += i <= 5 ? 50'000'000 : 100'000'000;
    EXPECT_EQ(player.sender.rate, rate) << i;
  }
  for (int i = 0; i < 2000; ++i) player.end_round(20 * us);
  EXPECT_EQ(player.sender.rate, line);
}

TEST(RateControls, TimelyFollowsItsRulesUnderAnyRoundTrips) {
  Random random(3);
  Player player(timely());
  double rate = line, average = 0, last = 0;
  int increases = 0;
  for (int i = 0; i < 3000; ++i) {
    const Stamp rtt = random.between(20, i % 300 < 100 ? 700 : 120) * us;
    const auto now = static_cast<double>(rtt) / us;
    player.end_round(rtt);
    if (i > 0) {
      average = 0.125 * average + 0.875 * (now - last);
      const double gradient = average / 20;
      double factor = 1;
      if (now > 500)
        factor = 1 - 0.8 * (1 - 500 / now);
      else if (now >= 50 && gradient > 0)
        factor = std::max(0.0, 1 - 0.8 * gradient);
      increases = factor < 1 ? 0 : increases + 1;
      rate = factor < 1 ? std::max(100e6, rate * factor)
                        : std::min<double>(line, rate + (increases > 5 ? 100e6 : 50e6));
    }
    last = now;
    ASSERT_NEAR(static_cast<double>(player.sender.rate), rate, 1e-6 * rate + 100) << i;
  }
}

TEST(HpccRate, ALinkThatSendsNothingAsksForTheRateOfTheLine) {
  CongestionSettings settings;
  Sender sender;
  sender.line_rate = 100'000'000'000;
  HpccRate rate{.utilization = 0, .rate = 1'000'000'000, .stage = settings.hpcc.stages};
  EXPECT_EQ(rate.next(settings, sender, true), sender.line_rate);
}

}  // namespace
}  // namespace orrery::core::rate_controls_test
