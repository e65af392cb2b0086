#include "collective/phase/exchange_member.hpp"

#include <gtest/gtest.h>

#include <string>

#include "collective/algorithms/schedule.hpp"

namespace orrery::core::exchange_member_test {
namespace {

// Writes down what the member decides.
struct Notes {
  std::string& text;
  bool late = false;
  void prepare(std::uint32_t k) const { text += "prepare " + std::to_string(k) + ", "; }
  void exchange(std::uint32_t k) const { text += "exchange " + std::to_string(k) + ", "; }
  void turned_away() const { text += "turned away, "; }
  bool opens_late() const { return late; }
  void ended() const { text += "ended"; }
};

ExchangeSchedule rules_of(std::uint64_t messages, std::uint32_t in_flight, std::uint32_t gate) {
  ExchangeSchedule rules;
  rules.messages = messages;
  rules.in_flight = in_flight;
  rules.gate = gate;
  return rules;
}

TEST(ExchangeMember, PreparesOnceMoreThanItSends) {
  const ExchangeSchedule rules = rules_of(2, 1, 0);
  std::string said;
  ExchangeMember member;
  member.start(rules, Notes{said});
  for (int i = 0; i < 2; ++i) {
    member.prepared(rules, Notes{said});
    member.arrived(rules, Notes{said});
  }
  EXPECT_EQ(said, "prepare 0, exchange 0, prepare 1, exchange 1, prepare 2, ");
  said.clear();
  member.prepared(rules, Notes{said});
  EXPECT_EQ(said, "ended");
}

// Returns what a member of two messages before and two behind a gate says when both of the first have arrived
// before (`late`: in the instant in which) the second two were prepared.
std::string said_at_gate(bool late) {
  const ExchangeSchedule rules = rules_of(4, 2, 2);
  std::string said;
  ExchangeMember member;
  member.start(rules, Notes{said});
  member.prepared(rules, Notes{said});
  member.prepared(rules, Notes{said});
  member.arrived(rules, Notes{said});
  member.prepared(rules, Notes{said});
  said.clear();
  member.arrived(rules, Notes{said, late});
  member.prepared(rules, Notes{said});
  return said;
}

TEST(ExchangeMember, SendsWhatTheGateHeldBackWithTheNextMessage) {
  EXPECT_EQ(said_at_gate(false), "prepare 3, exchange 2, exchange 3, ");
}

TEST(ExchangeMember, SendsWhatTheGateTurnedAwayTooEarlyAtOnce) {
  EXPECT_EQ(said_at_gate(true), "exchange 2, prepare 3, exchange 3, ");
}

TEST(ExchangeMember, IsTurnedAwayByTheGate) {
  const ExchangeSchedule rules = rules_of(2, 1, 1);
  std::string said;
  ExchangeMember member;
  member.prepared(rules, Notes{said});
  member.prepared(rules, Notes{said});
  EXPECT_EQ(said, "exchange 0, turned away, ");
  EXPECT_EQ(member.sent(), 1u);
}

}  // namespace
}  // namespace orrery::core::exchange_member_test
