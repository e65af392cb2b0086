// A phase of a chunk that is run message by message.
#pragma once

#include <cstdint>
#include <vector>

#include "collective/exchange_member.hpp"
#include "collective/messages/exchange_table.hpp"
#include "collective/messages/mailbox.hpp"
#include "collective/phase_engine.hpp"
#include "collective/program_member.hpp"
#include "collective/tree_member.hpp"
#include "events/event_loop.hpp"

namespace orrery {

class PhaseKind;

struct PhaseRun {
  static constexpr std::uint32_t none = 0xffffffff;
  struct InExchange : ExchangeMember {  // as short as can be, since every message touches two
    std::uint32_t position = 0;         // in the group
    // Index of a message that arrived, or was sent, before this member awaited it.
    std::uint32_t early = none;
    Stamp early_finish = 0;
  };
  struct InProgram : ProgramMember {
    std::uint32_t origin = 0;  // position in the group from which its peers count
  };

  PhaseKind* kind = nullptr;
  std::uint32_t chunk = 0;
  std::uint32_t part = 0;
  std::uint32_t recorded = 0;     // rank whose messages are counted
  std::uint32_t taking_part = 0;  // simulated ranks that do
  std::uint32_t ended = 0;
  const PhaseShape* shape = nullptr;
  std::vector<Stamp> earliest_ends;  // by rank
  Mailbox mailbox;
  std::vector<Time> posted;  // receives of the recorded rank
  ReceiveStatistics statistics;
  bool statistics_taken = false;

  // Members of the run's kind, by rank.
  std::vector<InExchange> in_exchange;
  std::vector<TreeMember> in_tree;
  std::vector<InProgram> in_program;
  // Exchanges only:
  const ExchangeTable* exchange = nullptr;
  std::vector<Stamp> turned_away;  // by rank, where there is a gate: when it last held a message back
  // Without handshakes: messages beyond one per member that are not awaited yet, in the mailbox.
  std::uint64_t early = 0;

  // These count what the recorded rank receives: one hears of a receive, the other of its message.
  void awaits(std::uint32_t rank, std::uint32_t index, const EventLoop& loop) {
    if (rank == recorded) posted[index] = loop.time();
  }
  void receives(std::uint32_t rank, std::uint32_t index, const EventLoop& loop) {
    if (rank == recorded) count_latency(index, loop.time());
  }

 private:
  [[gnu::noinline]] void count_latency(std::uint32_t index, Time now) {
    statistics.latency_sum += now - posted[index];
    ++statistics.messages;
  }
};

}  // namespace orrery
