// Tests what every schedule has to keep, whatever the algorithm.
#include "collective/algorithms/algorithms.hpp"

#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <tuple>

namespace orrery::core::schedule_test {
namespace {

using enum CollectiveKind;

struct Case {
  Algorithm algorithm;
  CollectiveKind kind;
  std::uint32_t members;
  int window = 0;
  bool backward = false;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << "algorithm " << c.algorithm->name << ", kind " << static_cast<int>(c.kind) << ", members "
             << c.members << ", window " << c.window << (c.backward ? ", backward" : "");
}

std::vector<Case> exchanges() {
  std::vector<Case> cases;
  for (CollectiveKind kind : {reduce_scatter, all_gather, all_reduce, all_to_all}) {
    for (std::uint32_t members : {2u, 3u, 4u, 5u, 8u, 13u, 16u}) {
      for (bool backward : {false, true}) {
        cases.push_back({&ring_algorithm, kind, members, 0, backward});
        for (int window : {0, 1, 2, 3, 20})
          cases.push_back({&direct_algorithm, kind, members, window, backward});
      }
    }
  }
  for (CollectiveKind kind : {reduce_scatter, all_gather, all_reduce}) {
    for (std::uint32_t members : {2u, 4u, 8u, 16u, 64u})
      cases.push_back({&halving_doubling_algorithm, kind, members});
  }
  return cases;
}

ExchangeSchedule schedule_of(const Case& c, Bytes input) {
  const PhaseRequest request{c.kind, input, c.members, c.backward, c.window, false, {}};
  return std::get<ExchangeSchedule>(c.algorithm->make(request));
}

void expect_matched(const ExchangeSchedule& schedule, std::uint32_t n) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, int>
      unmatched;  // source, destination, bytes
  for (std::uint32_t x = 0; x < n; ++x) {
    for (std::uint32_t k = 0; k < schedule.messages; ++k) {
      const auto& step = schedule.steps[k % schedule.steps.size()];
      const bool shift = schedule.peer == ExchangeSchedule::Peer::shift;
      const std::uint32_t to = shift ? (x + step.amount) % n : x ^ step.amount;
      const std::uint32_t from = shift ? (x + n - step.amount) % n : x ^ step.amount;
      ASSERT_LT(to, n);
      ASSERT_NE(to, x);
      ++unmatched[{x, to, step.bytes.count()}];
      --unmatched[{from, x, step.bytes.count()}];
    }
  }
  for (const auto& [message, count] : unmatched) EXPECT_EQ(count, 0);
}

TEST(EveryExchange, MatchesEverySendWithAReceive) {
  for (const Case& c : exchanges()) {
    SCOPED_TRACE(testing::Message() << c);
    const ExchangeSchedule schedule = schedule_of(c, Bytes(1000003));
    ASSERT_FALSE(schedule.steps.empty());
    expect_matched(schedule, c.members);
  }
}

TEST(EveryExchange, PreparesOneMessagePerReceptionAndAsManyMoreAsAreInFlight) {
  for (const Case& c : exchanges()) {
    SCOPED_TRACE(testing::Message() << c);
    const ExchangeSchedule schedule = schedule_of(c, Bytes(4096));
    EXPECT_GE(schedule.in_flight, 1u);
    EXPECT_LE(schedule.in_flight, c.members - 1);
    EXPECT_EQ(schedule.preparations(), schedule.messages + schedule.in_flight);
  }
}

// A bandwidth-optimal all-reduce sends 2 (n-1)/n of the data, half of it on either side. Ring all-to-alls
// relay more.
Bytes closed_form(const Case& c, Bytes input) {
  const std::uint32_t n = c.members;
  switch (c.kind) {
    case all_reduce:
      return input / n * (2 * (n - 1));
    case reduce_scatter:
      return input / n * (n - 1);
    case all_gather:
      return input * (n - 1);
    case all_to_all:
      return input / n * (c.algorithm == &ring_algorithm ? n * (n - 1) / 2 : n - 1);
    default:
      return {};
  }
}

TEST(EveryExchange, SendsTheBytesOfItsClosedForm) {
  const Bytes input(std::uint64_t{720720} * 64);  // divisible by all the sizes used here
  for (const Case& c : exchanges()) {
    SCOPED_TRACE(testing::Message() << c);
    const ExchangeSchedule schedule = schedule_of(c, input);
    Bytes sent;
    for (std::uint32_t k = 0; k < schedule.messages; ++k)
      sent += schedule.steps[k % schedule.steps.size()].bytes;
    EXPECT_EQ(sent, closed_form(c, input));
  }
}

Bytes output(Algorithm algorithm, CollectiveKind kind, std::uint64_t input) {
  return algorithm->output(kind, Bytes(input), 8);
}

// docs/models/collectives.md, Phases, says what a phase hands to the next.
TEST(OutputOf, ShrinksGrowsOrStays) {
  for (Algorithm algorithm : {&ring_algorithm, &direct_algorithm, &halving_doubling_algorithm}) {
    EXPECT_EQ(output(algorithm, reduce_scatter, 1000003), Bytes(125000));
    EXPECT_EQ(output(algorithm, all_gather, 125000), Bytes(1000000));
    EXPECT_EQ(output(algorithm, all_reduce, 1000003), Bytes(1000003));
    EXPECT_EQ(output(algorithm, all_to_all, 1000003), Bytes(1000003));
  }
}

TEST(OutputOf, TreesAllReduceWhateverTheyAreAskedFor) {
  for (CollectiveKind kind : {reduce_scatter, all_gather, all_reduce, all_to_all}) {
    EXPECT_EQ(output(&double_binary_tree_algorithm, kind, 1000003), Bytes(1000003));
  }
}

TEST(OutputOf, DoesNotCutTo32Bits) {
  EXPECT_EQ(output(&ring_algorithm, all_gather, std::uint64_t{1} << 31), Bytes(std::uint64_t{1} << 34));
}

TEST(MakeSchedule, GivesEveryAlgorithmItsOwnSchedule) {
  const PhaseRequest request{all_reduce, Bytes(800), 8, false, 0, false, {}};
  const auto messages = [&](Algorithm algorithm) {
    return std::get<ExchangeSchedule>(algorithm->make(request)).messages;
  };
  EXPECT_EQ(messages(&ring_algorithm), 14u);
  EXPECT_EQ(messages(&direct_algorithm), 14u);
  EXPECT_EQ(messages(&halving_doubling_algorithm), 6u);
  EXPECT_TRUE(std::holds_alternative<TreeSchedule>(double_binary_tree_algorithm.make(request)));
}

}  // namespace
}  // namespace orrery::core::schedule_test
